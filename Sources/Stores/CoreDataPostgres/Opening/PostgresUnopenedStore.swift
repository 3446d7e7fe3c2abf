import CoreDataSQL
import PostgresKit

/// Accesses a store without opening it: metadata, cached model, and destruction.
struct PostgresUnopenedStore {
    let location: PostgresLocation

    init(_ url: URL) throws { location = try PostgresLocation(url) }

    init(_ location: PostgresLocation) { self.location = location }

    /// A connection to a schema that contains a store.
    struct Connected {
        let connection: PostgresConnection
        let location: PostgresLocation

        /// The schema without entities' tables; it has only the tables that every store has.
        var schema: PostgresSchema {
            PostgresSchema(StoreSchema(model: NSManagedObjectModel()), in: location.schema)
        }

        func metadata() throws -> PostgresMetadata {
            try PostgresMetadata.read(connection, schema: schema, location: location)
        }

        func setMetadata(_ given: [String: Any]) throws {
            // The lock prevents a migration from writing other version hashes in between.
            let lock = PostgresStatement("LOCK TABLE \(schema.table("Z_METADATA")) IN SHARE ROW EXCLUSIVE MODE")
            try connection.transaction("BEGIN", first: [lock]) { try rewriteMetadata(given) }
        }

        private func rewriteMetadata(_ given: [String: Any]) throws {
            let present = try metadata()
            let bytes = try PostgresMetadata.bytes(
                of: MetadataRules.merged(given, keeping: present.values), location)
            var statements = [PostgresMetadata.rewriting(bytes, schema)]
            if let identifier = given[NSStoreUUIDKey] {
                guard let text = identifier as? String, UUID(uuidString: text) != nil else {
                    throw CoreDataError.make(
                        NSPersistentStoreSaveError,
                        "The metadata of the store '\(location.publicURL.absoluteString)' cannot be written: its "
                            + "'\(NSStoreUUIDKey)' is no UUID.", hint: "Leave the key out to keep the store's identity."
                    )
                }
                statements.append(
                    PostgresStatement(
                        "UPDATE \(schema.table("Z_METADATA")) SET Z_UUID = $1::text", [.text(text)]))
            }
            _ = try connection.pipeline(statements)
        }

        func hasTable(_ name: String) throws -> Bool {
            try connection.query("SELECT to_regclass($1::text) IS NOT NULL", [.text(schema.table(name))]).int64(0, 0)
                == 1
        }

        func cachedModel() throws -> NSManagedObjectModel? {
            let result = try connection.query(
                "SELECT Z_CONTENT FROM \(schema.table("Z_MODELCACHE")) WHERE octet_length(Z_CONTENT) <= $1::int8 LIMIT 1",
                [.integer(64 << 20)])
            guard result.rowCount == 1, !result.isNull(0, 0) else { return nil }
            return try NSManagedObjectModel(cachedModel: Data(result.bytes(0, 0)))
        }
    }

    /// Runs a block with a connection to the store.
    ///
    /// - Throws: `NSPersistentStoreOpenError` if there is no store.
    func withStore<Result>(_ action: String, _ body: (Connected) throws -> Result) throws -> Result {
        try withConnection(action) { connected in
            guard try PostgresMetadata.isPresent(connected.connection, connected.schema) else {
                throw PostgresLocation.refusal(
                    location.publicURL, "there is no store in the schema '\(location.schema)'",
                    hint: "Look at the database's name and at ?schema=.")
            }
            return try body(connected)
        }
    }

    func withConnection<Result>(_ action: String, _ body: (Connected) throws -> Result) throws -> Result {
        do {
            let connection = try location.connect(timeout: .seconds(10))
            defer { connection.close() }
            return try body(Connected(connection: connection, location: location))
        } catch let error as PostgresError {
            throw PostgresErrors.during(action, error: error, location: location)
        }
    }

    /// Removes the store's tables, and the schema if it is empty afterwards; other objects in the schema stay.
    func destroy() throws {
        try withConnection("be destroyed") { connected in
            guard try PostgresMetadata.isPresent(connected.connection, connected.schema) else { return }
            let names = try Self.tables(connected).map {
                "\(connected.schema.dialect.namespace)\(SQLIdentifier.alwaysQuoted($0))"
            }
            _ = try connected.connection.pipeline([
                PostgresStatement("BEGIN", []),
                PostgresStatement("DROP TABLE IF EXISTS \(names.joined(separator: ", "))", []),
                PostgresStatement("COMMIT", []),
            ])
            // With RESTRICT, the server refuses to drop a schema that is not empty.
            _ = try? connected.connection.query("DROP SCHEMA \(connected.schema.dialect.namespace.dropLast()) RESTRICT")
        }
    }

    /// Returns the names of a store's tables on the server: those that begin with Z, and those of the history.
    static func tables(_ connected: Connected) throws -> [String] {
        let result = try connected.connection.query(
            "SELECT c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
                + "WHERE n.nspname = $1::text AND c.relkind = 'r' "
                + "AND (c.relname ~ '^[zZ]' OR c.relname IN ('atransaction', 'achange', 'ahistory', "
                + "lower('\(KeptValueTable.name)'))) ORDER BY 1",
            [.text(connected.location.schema)])
        return (0..<result.rowCount).compactMap { result.text($0, 0) }
    }
}
