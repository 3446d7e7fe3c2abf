import CoreDataSQL
import PostgresKit

/// The only row of `Z_METADATA`: the store's identifier, and a property list about the store and its model.
struct PostgresMetadata {
    private static let greatestSize = 16 << 20

    let identifier: String
    let values: [String: Any]

    /// The metadata as programs get it, with the store's type and identifier.
    var shown: [String: Any] {
        values.merging([NSStoreTypeKey: CoreDataPostgreSQLStoreType, NSStoreUUIDKey: identifier]) { $1 }
    }

    /// Whether a schema contains a store.
    static func isPresent(_ connection: PostgresConnection, _ schema: PostgresSchema) throws -> Bool {
        try StoreEpoch.find(connection, schema) != nil
    }

    /// Reads the row.
    ///
    /// - Throws: `NSPersistentStoreOpenError` that says what is wrong with the row.
    static func read(
        _ connection: PostgresConnection, schema: PostgresSchema, location: PostgresLocation
    ) throws -> PostgresMetadata {
        let result = try connection.query(
            "SELECT Z_UUID, octet_length(Z_PLIST), CASE WHEN octet_length(Z_PLIST) <= \(greatestSize) THEN Z_PLIST END "
                + "FROM \(schema.table("Z_METADATA")) LIMIT 1")
        if result.rowCount == 0, let copy = try SchemaCopyRecord.read(connection, schema) {
            throw PostgresLocation.refusal(
                location.publicURL, UnfinishedCopy.reason(copy.origin.name), hint: UnfinishedCopy.hint)
        }
        guard result.rowCount == 1, let identifier = result.text(0, 0), UUID(uuidString: identifier) != nil else {
            throw unusable(location, "its Z_METADATA has no identity of a store")
        }
        guard !result.isNull(0, 2) else {
            throw unusable(location, "the metadata in its Z_METADATA is missing or longer than \(greatestSize) bytes")
        }
        return PostgresMetadata(
            identifier: identifier, values: try propertyList(Data(result.bytes(0, 2)), location))
    }

    private static func propertyList(_ data: Data, _ location: PostgresLocation) throws -> [String: Any] {
        guard let entries = try? PropertyList(binary: data).dictionary,
            let hashes = entries[NSStoreModelVersionHashesKey]?.dictionary,
            hashes.values.allSatisfy({ $0.data?.count == 32 })
        else { throw unusable(location, "its metadata is no property list with version hashes of 32 bytes") }
        return entries.mapValues(\.foundationValue)
    }

    private static func unusable(_ location: PostgresLocation, _ reason: String) -> NSError {
        PostgresLocation.refusal(location.publicURL, reason, hint: "Restore the database from a backup.")
    }

    /// Returns the property list of metadata.
    ///
    /// - Throws: `NSPersistentStoreSaveError` for values that a property list cannot contain, and for a list that is
    ///   too large to be read again.
    static func bytes(of values: [String: Any], _ location: PostgresLocation) throws -> [UInt8] {
        var values = values
        values[NSStoreUUIDKey] = nil
        values[NSStoreTypeKey] = CoreDataPostgreSQLStoreType
        let place = location.publicURL.absoluteString
        try MetadataRules.check(values, of: place)
        let data = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
        guard data.count <= greatestSize, (try? propertyList(data, location)) != nil else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The metadata of the store '\(place)' cannot be written: \(data.count) bytes of it could not be read again.",
                hint: "Keep large or deeply nested values in objects of the store.")
        }
        return [UInt8](data)
    }

    /// Returns the statement that writes the row of a new store.
    static func insertion(identifier: String, _ bytes: [UInt8], _ schema: PostgresSchema) -> PostgresStatement {
        PostgresStatement(
            "INSERT INTO \(schema.table("Z_METADATA")) (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, $1::text, $2::bytea)",
            [.text(identifier), .bytes(bytes)])
    }

    /// Returns the statement that replaces the row's property list.
    static func rewriting(_ bytes: [UInt8], _ schema: PostgresSchema) -> PostgresStatement {
        PostgresStatement("UPDATE \(schema.table("Z_METADATA")) SET Z_PLIST = $1::bytea", [.bytes(bytes)])
    }
}
