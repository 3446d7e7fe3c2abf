import CoreDataSQL

extension StoreFile: LargeValueKeeping {
    package func largeValue(stored: UnsafeRawBufferPointer) throws -> Data { try external.value(stored: stored) }

    package func largeValueWriter() -> any LargeValueWriting { external.writer() }

    /// Why the file that holds a large value cannot be used; nil where it can. The store need not be open.
    ///
    /// - Parameter stored: what the row has for the value.
    package static func flaw(ofLargeValue stored: UnsafeRawBufferPointer, of store: URL) throws -> String? {
        do {
            _ = try ExternalData(store: store).openFile(stored: stored)
            return nil
        } catch let error as ExternalDataError {
            return error.reason
        }
    }
}
