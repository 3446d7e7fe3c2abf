import CoreDataSQL
import SQLiteKit

/// The only row of `Z_METADATA`: the store's identifier, and a property list about the store and its model.
///
/// Source of the keys and their meaning: stores that Apple's framework wrote.
struct StoreMetadata {
    static let hashesVersionKey = "NSStoreModelVersionHashesVersion"
    static let frameworkVersionKey = "NSPersistenceFrameworkVersion"
    static let autoVacuumKey = "_NSAutoVacuumLevel"
    static let digestKey = "NSStoreModelVersionHashesDigest"
    private static let greatestSize = 16 << 20

    let identifier: String?
    let values: [String: Any]

    /// Reads the row of an open file.
    ///
    /// - Throws: `NSPersistentStoreOpenError` that says what is wrong with the row.
    static func read(_ connection: Connection, _ url: URL) throws -> StoreMetadata {
        let statement = try connection.prepare(
            "SELECT typeof(Z_PLIST), length(Z_PLIST), CASE WHEN length(Z_PLIST) <= \(greatestSize) THEN Z_PLIST END, "
                + "CASE WHEN typeof(Z_UUID) = 'text' AND length(Z_UUID) = 36 THEN Z_UUID END FROM Z_METADATA LIMIT 1")
        return try withExtendedLifetime(statement) {
            guard try statement.step() else {
                if let name = try FileCopyRecord.read(connection)?.origin.name {
                    throw StoreErrors.unusable(url, UnfinishedCopy.reason(name), hint: UnfinishedCopy.hint)
                }
                throw StoreErrors.unusable(url, "its Z_METADATA is empty", hint: StoreErrors.restore)
            }
            guard statement.text(0) != "null" else {
                throw StoreErrors.unusable(
                    url, "its Z_METADATA has no metadata (Z_PLIST is NULL)",
                    hint: "Restore the file from a backup; coredata recover makes a new store of its rows.")
            }
            guard statement.text(0) == "blob" else {
                throw StoreErrors.unusable(
                    url, "the metadata in its Z_METADATA is no property list", hint: StoreErrors.restore)
            }
            guard statement.int64(1) <= greatestSize else {
                throw StoreErrors.unusable(
                    url, "its metadata is \(statement.int64(1)) bytes long, more than \(greatestSize)",
                    hint: StoreErrors.restore)
            }
            let values = try propertyList(Data(statement.blobBytes(2)), url)
            let identifier = statement.text(3).flatMap { UUID(uuidString: $0) == nil ? nil : $0 }
            return StoreMetadata(identifier: identifier, values: values)
        }
    }

    /// Returns the row undecoded: the identifier, and the property list unless it is too large to be read.
    static func marks(_ connection: Connection) throws -> (identifier: String?, bytes: Value?) {
        let sql = "SELECT Z_UUID, CASE WHEN length(Z_PLIST) <= \(greatestSize) THEN Z_PLIST END FROM Z_METADATA LIMIT 1"
        let row = try connection.rows(sql).first
        return (row?[0].text, row?[1])
    }

    private static func propertyList(_ data: Data, _ url: URL) throws -> [String: Any] {
        let list: PropertyList
        do {
            list = try PropertyList(binary: data)
        } catch {
            throw StoreErrors.unusable(url, "its metadata cannot be read: \(error)", hint: StoreErrors.restore)
        }
        guard let entries = list.dictionary else {
            throw StoreErrors.unusable(url, "its metadata is no dictionary", hint: StoreErrors.restore)
        }
        guard let hashes = entries[NSStoreModelVersionHashesKey]?.dictionary,
            hashes.values.allSatisfy({ $0.data?.count == 32 })
        else {
            throw StoreErrors.unusable(
                url, "its metadata has no version hashes of 32 bytes", hint: "It may not be a Core Data store.")
        }
        return entries.mapValues(\.foundationValue)
    }

    /// Returns the metadata of a new store.
    static func new(for model: NSManagedObjectModel, configuration: String?) -> [String: Any] {
        let entities = model.entities(forConfigurationName: configuration) ?? model.entities
        let names = Set(entities.compactMap(\.name))
        let isWhole = names.count == model.entities.count
        var values: [String: Any] = [
            NSStoreTypeKey: NSSQLiteStoreType,
            NSStoreModelVersionHashesKey: model.entityVersionHashesByName.filter { names.contains($0.key) },
            hashesVersionKey: 3,
            NSStoreModelVersionIdentifiersKey: identifiers(of: model),
            frameworkVersionKey: Int(NSCoreDataVersionNumber),
            autoVacuumKey: "2",
        ]
        if isWhole {
            values[digestKey] = model.versionHashesDigest
            values[NSPersistentStoreModelVersionChecksumKey] = model.versionChecksum
        }
        return values
    }

    private static func identifiers(of model: NSManagedObjectModel) -> [String] {
        let identifiers = model.versionIdentifiers.compactMap { $0.base as? String }.sorted()
        return identifiers.isEmpty ? [""] : identifiers
    }

    /// Writes the only row.
    static func write(_ values: [String: Any], identifier: String, to connection: Connection) throws {
        let data = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
        try connection.execute(
            "INSERT OR REPLACE INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
            [.text(identifier), .blob([UInt8](data))])
    }

    /// Writes a property list into the existing row and leaves the rest of the row unchanged.
    ///
    /// - Throws: `NSPersistentStoreSaveError` for values that a property list cannot contain, and for a list that is
    ///   too large to be read again.
    static func rewrite(_ values: [String: Any], in connection: Connection, _ url: URL) throws {
        var values = values
        values[NSStoreUUIDKey] = nil
        try MetadataRules.check(values, of: url.path)
        let data = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
        guard data.count <= greatestSize, (try? propertyList(data, url)) != nil else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The metadata of the store '\(url.path)' cannot be written: \(data.count) bytes of it could not be read "
                    + "again.", hint: "Keep large or deeply nested values in objects of the store.")
        }
        try connection.execute(
            "UPDATE Z_METADATA SET Z_PLIST = ? WHERE Z_VERSION IS (SELECT Z_VERSION FROM Z_METADATA LIMIT 1)",
            [.blob([UInt8](data))])
    }
}
