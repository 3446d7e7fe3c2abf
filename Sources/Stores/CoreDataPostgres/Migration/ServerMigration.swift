import CoreDataRecordStores
import CoreDataSQL
import PostgresKit

/// Migrates a store on a server to another model, in one transaction.
///
/// Invariants:
/// 1. Nothing is changed before this transaction has locked `Z_METADATA` exclusively: every other transaction uses that
///    table first (`StoreEpoch`), so no other transaction is in progress.
/// 2. The transaction also changes the epoch, so that connections which had the store open are refused afterwards.
/// 3. Before the commit, the store is checked to have the tables of the new model.
struct ServerMigration {
    /// The maximum number of attempts if the connection breaks, or the server aborts the transaction in favor of
    /// another one.
    private static let mostAttempts = 3

    private let request: SchemaMigrationRequest
    let location: PostgresLocation
    let connector: PostgresConnector

    init(_ request: SchemaMigrationRequest) throws {
        self.request = request
        location = try PostgresLocation(request.url)
        var options = request.options
        // The time limit of a program's queries does not apply to a migration.
        options[CoreDataPostgreSQLStatementTimeoutOption] = nil
        connector = PostgresConnector(
            location: location, settings: PostgresSettings(options, hasSeveralHosts: location.hasSeveralHosts))
    }

    /// Returns the schema of the old model, with the entity numbers that the store has recorded.
    func schemaOfBefore(_ connection: PostgresConnection) throws -> PostgresSchema {
        let plain = schema(of: request.source.model)
        let numbers = try PostgresStoreOpening.entityNumbers(plain, connection)
        return PostgresSchema(
            StoreSchema(
                model: request.source.model, configuration: request.configuration, recordedNumbers: numbers),
            in: location.schema)
    }

    private func schema(of model: NSManagedObjectModel) -> PostgresSchema {
        PostgresSchema(StoreSchema(model: model, configuration: request.configuration), in: location.schema)
    }

    /// - Throws: what `SchemaMigrating.migrateSchema(_:)` throws.
    func run() throws {
        var attempt = 1
        while true {
            do {
                let connection = try connector.reconnect()
                defer { connection.close() }
                return try migrate(connection)
            } catch let error as PostgresError {
                guard error.isConnectionLost || error.mayBeRetried, attempt < Self.mostAttempts else {
                    throw PostgresMigrationErrors.failure(error, location)
                }
                attempt += 1
            } catch {
                throw PostgresMigrationErrors.failure(error, location)
            }
        }
    }

    /// Returns the steps of the migration, with the server's estimates of the tables' sizes; nothing is locked or
    /// written.
    ///
    /// If the store does not have this migration's source model, as before a later stage, the steps are those for a
    /// newly created store of that model.
    func plan() throws -> SchemaMigrationPlan {
        do {
            let connection = try connector.connect()
            defer { connection.close() }
            return try connection.transaction(
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
                first: [PostgresStatement("SET LOCAL extra_float_digits = 1"), searchPath]
            ) {
                let old = try schemaOfBefore(connection)
                let metadata = try PostgresMetadata.read(connection, schema: old, location: location).values
                guard isOf(request.source.model, metadata) else {
                    return ServerMigrationSurvey.statements(of: schemaMigrationOfNewStore())
                }
                return try ServerMigrationSurvey(
                    connection, migration: schemaMigration(old, connection), location: location
                ).plan()
            }
        } catch {
            throw PostgresMigrationErrors.failure(error, location)
        }
    }

    // MARK: The transaction

    private var searchPath: PostgresStatement {
        PostgresStatement("SELECT set_config('search_path', quote_ident($1::text), true)", [.text(location.schema)])
    }

    /// Statements that make the migration independent of a role's settings and disable the time limits for waiting.
    var beginning: [PostgresStatement] {
        [
            "SET LOCAL statement_timeout = 0", "SET LOCAL lock_timeout = 0",
            "SET LOCAL idle_in_transaction_session_timeout = 0", "SET LOCAL standard_conforming_strings = on",
            "SET LOCAL extra_float_digits = 1", "SET CONSTRAINTS ALL IMMEDIATE",
        ].map { PostgresStatement($0) } + [searchPath, location.lock(.shape)]
    }

    private func migrate(_ connection: PostgresConnection) throws {
        try connection.transaction("BEGIN", first: beginning) {
            let old = try schemaOfBefore(connection)
            guard try isToBeMigrated(old, connection) else { return }
            try TableLock(location, connector.settings.connectTimeout).take(on: old.table("Z_METADATA"), connection)
            let new = schema(of: request.destination.model)
            let migration = try schemaMigration(old, connection)
            let grants = try TableGrants(of: old, connection)
            for step in migration.steps { try run(step, connection) }
            try computeValues(migration, new: new, connection: connection)
            for step in migration.closing { try run(step, connection) }
            try PostgresMigratedHistory(
                connection, schema: HistorySchema(schema: new), migration: migration, from: request.source,
                to: request.destination
            ).run()
            try grants.apply(to: new, connection)
            try writeIdentity(
                new, present: PostgresMetadata.read(connection, schema: new, location: location).values,
                connection: connection)
            try PostgresStoreOpening.requireTables(new, connection: connection, location: location)
        }
    }

    /// Returns false if another program has migrated the store meanwhile.
    ///
    /// - Throws: `NSMigrationError` if the store has neither version.
    func isToBeMigrated(_ schema: PostgresSchema, _ connection: PostgresConnection) throws -> Bool {
        let metadata = try PostgresMetadata.read(connection, schema: schema, location: location).values
        let source = request.source.model
        if isOf(request.destination.model, metadata), !isOf(source, metadata) { return false }
        guard isOf(source, metadata) else {
            throw CoreDataError.make(
                NSMigrationError,
                "The store '\(location.publicURL.absoluteString)' is of another version by now: another program has migrated it.",
                hint: "Open it anew.")
        }
        return true
    }

    private func isOf(_ model: NSManagedObjectModel, _ metadata: [String: Any]) -> Bool {
        let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        return [nil, request.configuration].contains {
            model.agreement(with: stored, configuration: $0).differing.isEmpty
        }
    }

    private func schemaMigrationOfNewStore() -> SchemaMigration {
        let (old, new) = (schema(of: request.source.model), schema(of: request.destination.model))
        let indexes = old.store.indexes.map { index in
            SchemaMigration.ExistingItem(
                name: index.name, table: index.table, sql: old.creation(index), isConstraint: index.isUnique)
        }
        return SchemaMigration(
            from: SchemaSide(model: request.source.model, schema: old.store),
            to: SchemaSide(model: request.destination.model, schema: new.store),
            indexes: indexes, triggers: [], keepsValues: request.keepsValues,
            dialect: PostgresMigrationDialect(schema: new))
    }

    private func schemaMigration(_ old: PostgresSchema, _ connection: PostgresConnection) throws -> SchemaMigration {
        let new = schema(of: request.destination.model)
        let catalog = StoreCatalog(connection, location.schema)
        return SchemaMigration(
            from: SchemaSide(model: request.source.model, schema: old.store),
            to: SchemaSide(model: request.destination.model, schema: new.store),
            indexes: try catalog.indexes(of: old, for: new), triggers: [], keepsValues: request.keepsValues,
            keptValues: try catalog.keptValues(old), dialect: PostgresMigrationDialect(schema: new))
    }

    private func run(_ step: MigrationStep, _ connection: PostgresConnection) throws {
        let result = try connection.query(
            step.text.numbered, step.text.parameters.map { PostgresParameter($0) })
        guard step.isCheck else { return }
        if let failure = step.failure(rows: result.integers, at: location.publicURL.absoluteString) { throw failure }
    }

    private func computeValues(
        _ migration: SchemaMigration, new: PostgresSchema, connection: PostgresConnection
    ) throws {
        let layouts = request.destination
        let (rules, derivations) = (migration.attributesToBackfill(layouts), migration.derivationsToCompute(layouts))
        guard !rules.isEmpty || !derivations.isEmpty else { return }
        let delegate = RowOwner()
        try withExtendedLifetime(delegate) {
            let session = PostgresSession(
                PostgresShape(location, schema: new, layouts: layouts, store: delegate), connection: connection,
                connector: connector)
            session.isBound = true
            let values = MigratedValues(session)
            for attribute in rules { try values.backfill(attribute) }
            for attribute in derivations { try values.derive(attribute) }
        }
    }

    /// Writes the metadata of the new version, merged with the program's own, and the cached model, and starts another
    /// epoch.
    func writeIdentity(
        _ new: PostgresSchema, present: [String: Any], connection: PostgresConnection
    ) throws {
        let model = request.destination.model
        let fresh = RecordMetadata.makeVersioned(for: model, configuration: request.configuration)
        let bytes = try PostgresMetadata.bytes(
            of: MetadataRules.merged(present, keeping: fresh), location)
        let cache = new.table("Z_MODELCACHE")
        var statements = [PostgresMetadata.rewriting(bytes, new), PostgresStatement("DELETE FROM \(cache)")]
        // The cached model lets programs open the store without a model; the migration continues if the model cannot be
        // archived.
        if let kept = try? model.cachedModel() {
            statements.append(
                PostgresStatement(
                    "INSERT INTO \(cache) (Z_CONTENT) VALUES ($1::bytea)", [.bytes([UInt8](kept))]))
        }
        let epoch = try StoreEpoch.find(connection, new) ?? StoreEpoch(column: nil)
        _ = try connection.pipeline(statements + [PostgresStatement(epoch.ending(new))])
    }
}

extension PostgresResult {
    /// All fields as integers; nil for a field that is not an integer.
    var integers: [[Int64?]] { (0..<rowCount).map { row in (0..<columnCount).map { int64(row, $0) } } }
}
