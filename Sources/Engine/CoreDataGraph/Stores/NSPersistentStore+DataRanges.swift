import CoreDataStore

extension NSPersistentStore {
    /// The data of a record's attribute, for reading in parts; nil if the store reads it only as a whole.
    ///
    /// SQLite stores read data in parts, in rows and in files beside the store; other stores return nil, as do all stores for
    /// values that are null, of another type, or missing.
    /// - Throws: what reading the store throws.
    package func storedData(of attribute: String, of identifier: NSManagedObjectID) throws -> StoredData? {
        guard !identifier.isTemporaryID, identifier.binding.store === self else { return nil }
        let address = RowAddress(binding: identifier.binding, key: identifier.key)
        return try serialized { try objects?.dataRanges?.storedData(of: attribute, at: address) }
    }

    /// A part of data that was found, in as much memory as the part takes.
    ///
    /// - Throws: `NSPersistentStoreOperationError` where the data is not what it was, or the store is not open any more.
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
