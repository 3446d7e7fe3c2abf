import CoreDataSQL

extension StoreFile: LargeValueKeeping {
    package func largeValue(stored: UnsafeRawBufferPointer) throws -> Data { try external.value(stored: stored) }

    package func largeValueWriter() -> any LargeValueWriting { external.writer() }

    /// Returns why the file of a large value cannot be used; nil if it can. The store need not be open.
    ///
    /// - Parameter stored: the stored value, which names the file.
    package static func flaw(ofLargeValue stored: UnsafeRawBufferPointer, of store: URL) throws -> String? {
        do {
            _ = try ExternalData(store: store).openFile(stored: stored)
            return nil
        } catch let error as ExternalDataError {
            return error.reason
        }
    }
}
