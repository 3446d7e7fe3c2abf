import CoreDataStore

extension NSPersistentStore {
    /// Returns the data of a record's attribute for reading in parts; nil if the store can read it only as a whole.
    ///
    /// SQLite stores can read parts of data in rows and in files beside the store; other stores return nil, as do all
    /// stores for values that are null, of another type, or missing.
    /// - Throws: the store's error.
    package func storedData(of attribute: String, of identifier: NSManagedObjectID) throws -> StoredData? {
        guard !identifier.isTemporaryID, identifier.binding.store === self else { return nil }
        let address = RowAddress(binding: identifier.binding, key: identifier.key)
        return try serialized { try objects?.dataRanges?.storedData(of: attribute, at: address) }
    }

    /// Reads a range of bytes of data, without reading the rest into memory.
    ///
    /// - Throws: `NSPersistentStoreOperationError` if the data have been changed since they were found, or the store is
    ///   closed.
    package func bytes(_ range: Range<Int>, of data: StoredData) throws -> Data {
        try serialized {
            guard let ranges = objects?.dataRanges else {
                throw CoreDataError.make(
                    NSPersistentStoreOperationError,
                    "A part of '\(data.attribute)' cannot be read: its store is closed.")
            }
            return try ranges.bytes(range, of: data)
        }
    }
}
