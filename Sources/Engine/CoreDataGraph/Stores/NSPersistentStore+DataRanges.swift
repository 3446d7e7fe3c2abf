import CoreDataStore

extension NSPersistentStore {
    /// The data of a record's attribute, of which parts can be read; nil where the store reads it whole only.
    ///
    /// SQLite stores read data by parts, in rows and in files beside the store; others read it whole, as do all what is null,
    /// of another type, or not there.
    /// - Throws: what reading the store throws.
    package func storedData(of attribute: String, of identifier: NSManagedObjectID) throws -> StoredData? {
        guard !identifier.isTemporaryID, identifier.binding.store === self else { return nil }
        let address = RowAddress(binding: identifier.binding, key: identifier.key)
        return try serialized { try objects?.dataRanges?.storedData(of: attribute, at: address) }
    }

    /// A part of data that was found, in as much memory as the part takes.
    ///
    /// - Throws: 134070 where the data is not what it was, or the store is not open any more.
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
