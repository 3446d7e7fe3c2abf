import CoreDataRecordStores
import CoreDataSQL
import PostgresKit

/// Builds a store of another model from the objects of a store, and replaces the store's tables with those of the new
/// one.
///
/// Invariants:
/// 1. Before the first object is read, a transaction locks `Z_METADATA` exclusively until its end. Every other
///    transaction uses that table first (`StoreEpoch`), so no other connection saves or reads meanwhile.
/// 2. Only that transaction changes the store, at its end: if anything ends it earlier, the store is unchanged. Until
///    then the new store is in a schema of its own; what a killed program leaves of it, the next migration removes.
/// 3. Tables of entities and links are replaced, with their indexes; they get the grants of the tables that they
///    replace. The other tables stay with their grants, and their rows are replaced.
struct ServerExchange {
    private let migration: ServerMigration
    private let request: SchemaMigrationRequest
    private let location: PostgresLocation

    init(_ request: SchemaMigrationRequest) throws {
        migration = try ServerMigration(request)
        self.request = request
        location = migration.location
    }

    /// - Throws: what `StoreExchanging.exchangeStore(_:_:)` throws; `NSPersistentStoreTimeoutError` if it is not known
    ///   whether the store was migrated.
    func run(_ make: (StoreExchange) throws -> Void) throws {
        var failure: (any Error)?
        var made: (temporary: TemporarySchema, identifier: String)?
        do {
            let connection = try migration.connector.reconnect()
            defer { connection.close() }
            try connection.transaction("BEGIN", first: migration.beginning) {
                let old = try migration.schemaOfBefore(connection)
                guard try migration.isToBeMigrated(old, connection) else { return }
                try TableLock(location, migration.connector.settings.connectTimeout)
                    .take(on: old.table("Z_METADATA"), connection)
                made = try withTemporaryFile { temporary in
                    do {
                        try make(try exchange(old, temporary: temporary, connection: connection))
                    } catch {
                        failure = error
                        throw error
                    }
                    return (temporary, try publish(temporary, in: old, connection))
                }
            }
        } catch {
            if let failure { throw failure }
            if let made, try wasCommitted(made.identifier, error) { return }
            // The rollback also undid the removal of the temporary schema, so it is removed again.
            if let made { try? withConnection { _ = try $0.query(made.temporary.removal.sql) } }
            throw PostgresMigrationErrors.failure(error, location)
        }
    }

    /// Whether the store has the new identifier, although the transaction's commit was not acknowledged.
    ///
    /// The query waits for the end of the transaction, which has locked the table, so the result is final.
    /// - Throws: `NSPersistentStoreTimeoutError` if the server does not answer within the time limit for connecting.
    private func wasCommitted(_ identifier: String, _ error: any Error) throws -> Bool {
        do {
            let connection = try migration.connector.reconnect()
            defer { connection.close() }
            connection.opening = nil
            connection.statementTimeout = connection.statementTimeout ?? migration.connector.settings.connectTimeout
            let store = PostgresUnopenedStore.Connected(connection: connection, location: location)
            return try store.metadata().identifier == identifier
        } catch {
            throw PostgresMigrationErrors.unknownOutcome(location, identifier: identifier, error: error)
        }
    }

    // MARK: The temporary schema

    /// Passes a temporary schema to `body`, and removes the schema if `body` throws.
    private func withTemporaryFile<Result>(_ body: (TemporarySchema) throws -> Result) throws -> Result {
        let temporary = try withConnection { try TemporarySchema.make(for: location, $0) }
        do {
            return try body(temporary)
        } catch {
            // If removing fails, the next migration removes the schema.
            try? withConnection { _ = try $0.query(temporary.removal.sql) }
            throw error
        }
    }

    private func withConnection<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        let connection = try migration.connector.connect()
        defer { connection.close() }
        return try body(connection)
    }

    private func exchange(
        _ old: PostgresSchema, temporary: TemporarySchema, connection: PostgresConnection
    ) throws -> StoreExchange {
        var options = request.options.filter { $0.key as? String == NSPersistentStoreTimeoutOption }
        options[HeldStore.option] = HeldStore(try PostgresMetadata.read(connection, schema: old, location: location))
        return StoreExchange(
            source: request.url, sourceOptions: options,
            destination: PostgresLocation.url(request.url, schema: temporary.name))
    }

    // MARK: The exchange

    /// Moves the contents of the temporary schema to the store's schema; returns the store's new identifier.
    private func publish(
        _ temporary: TemporarySchema, in old: PostgresSchema, _ connection: PostgresConnection
    ) throws -> String {
        let schema = StoreSchema(model: request.destination.model)
        let (from, to) = (PostgresSchema(schema, in: temporary.name), PostgresSchema(schema, in: location.schema))
        let made = try PostgresMetadata.read(connection, schema: from, location: location)
        let grants = try TableGrants(of: old, connection)
        let dropped = (old.store.tables.map(\.name) + [KeptValueTable.name]).map(old.table)
        let numbers = "(Z_ENT, Z_NAME, Z_SUPER, Z_MAX)"
        var statements = ["DROP TABLE IF EXISTS \(dropped.joined(separator: ", "))"]
        statements += to.store.tables.map {
            "ALTER TABLE \(from.table($0.name)) SET SCHEMA \(to.dialect.namespace.dropLast())"
        }
        statements += [
            "DELETE FROM \(to.table("Z_PRIMARYKEY"))",
            "INSERT INTO \(to.table("Z_PRIMARYKEY")) \(numbers) SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX "
                + "FROM \(from.table("Z_PRIMARYKEY"))",
        ]
        // Statistics make queries fast from the beginning.
        statements += to.store.tables.map { "ANALYZE \(to.table($0.name))" }
        _ = try connection.pipeline(statements.map { PostgresStatement($0) })
        try grants.apply(to: to, connection)
        try restartHistory(HistorySchema(schema: to), connection)
        try ServerSideTable.replace(in: to, from: from, connection)
        try migration.writeIdentity(to, present: made.values, connection: connection)
        _ = try connection.pipeline([
            PostgresStatement("UPDATE \(to.table("Z_METADATA")) SET Z_UUID = $1::text", [.text(made.identifier)]),
            temporary.removal,
        ])
        try PostgresStoreOpening.requireTables(to, connection: connection, location: location)
        return made.identifier
    }

    /// Starts a new history: the objects are new ones, so existing tokens expire, as with every kind of store.
    private func restartHistory(_ history: HistorySchema, _ connection: PostgresConnection) throws {
        let found = try connection.query("SELECT to_regclass($1::text) IS NOT NULL", [.text(history.state)])
        guard found.int64(0, 0) == 1 else { return }
        let marker = try connection.query("SELECT ZMARKER FROM \(history.state)")
        _ = try connection.pipeline(history.newHistory(marker: marker.rowCount > 0 ? marker.text(0, 0) ?? "" : ""))
    }
}
