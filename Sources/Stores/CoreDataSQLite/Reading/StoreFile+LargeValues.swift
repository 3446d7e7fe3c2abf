import CoreDataSQL

extension StoreFile: LargeValueKeeping {
    package func largeValue(stored: UnsafeRawBufferPointer) throws -> Data { try external.value(stored: stored) }

    package func largeValueWriter() -> any LargeValueWriting { external.writer() }
}
