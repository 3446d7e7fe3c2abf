import CoreDataModeling

/// Stores large values in the rows, without writing anything outside of them.
package final class ValuesInRows: LargeValueKeeping, LargeValueWriting {
    package init() {}

    package func largeValue(stored: UnsafeRawBufferPointer) throws -> Data { Data(stored) }

    package func largeValueWriter() -> any LargeValueWriting { self }

    package func storedForm(of data: Data) throws -> Data { data }

    package var count: Int { 0 }

    package func discard(after count: Int) {}
}
