import CoreDataSQL
import SQLiteKit

/// Migrates a store's file to another model, in one transaction in the file itself.
///
/// Invariants:
/// 1. Outside of the transaction only new files of large values are written, which are removed if it fails.
/// 2. Files of large values that no row names any more are removed after the commit.
/// 3. Before the commit, the file is checked to have the tables of the new model.
struct FileMigration {
    let request: SchemaMigrationRequest
    private var url: URL { request.url }
    private var model: NSManagedObjectModel { request.destination.model }

    init(_ request: SchemaMigrationRequest) { self.request = request }

    /// - Throws: what `SchemaMigrating.migrateSchema(_:)` throws.
    func run() throws {
        do {
            let connection = try ExclusiveFile(url: url, options: request.options).connect()
            defer { connection.close() }
            let largeValues = MigratedLargeValues(store: url)
            try largeValues.register(on: connection)
            try MigratedNumbers.register(on: connection)
            do {
                let dropped = try connection.transaction(.exclusive) { try migrate(connection) }
                ExternalFiles.remove(dropped, of: url)
            } catch {
                largeValues.discard()
                throw error
            }
            // Checkpoints so that the next connection need not recover the log; a failure does no harm.
            _ = try? connection.checkpoint(.truncate)
        } catch {
            throw failure(error)
        }
    }

    /// Returns what the migration would do, with the numbers of rows; the connection cannot write.
    func plan() throws -> SchemaMigrationPlan {
        do {
            let (connection, copy) = try SQLiteStoreOpening.connectForReading(url, leavesTraces: false)
            defer { connection.close() }
            return try withExtendedLifetime(copy) {
                try SQLiteStoreOpening.requireStore(connection, url)
                try MigratedNumbers.register(on: connection)
                let migration = try schemaMigration(connection)
                try MigratedEntityNumbers(connection, catalog: try connection.catalog(), migration: migration).check()
                return try MigrationSurvey(connection, migration).plan()
            }
        } catch {
            throw failure(error)
        }
    }

    // MARK: Opening

    private func schemaMigration(_ connection: Connection) throws -> SchemaMigration {
        // The migration updates the tables of the history itself, so they are no reason to refuse writing.
        let inspection = try SchemaInspection(
            connection, model: request.source.model, configuration: request.configuration, url: url,
            tracksHistory: true)
        if let reason = inspection.reasonsForReadOnly.first {
            throw StoreErrors.unusable(url, reason, hint: "Take out what the program added to the file.")
        }
        let catalog = try connection.catalog()
        let tables = Set(inspection.schema.tables.map(\.name))
        func items(_ items: [Catalog.Item]) -> [SchemaMigration.ExistingItem] {
            items.filter { tables.contains($0.table) }.map { .init(name: $0.name, table: $0.table, sql: $0.sql) }
        }
        return SchemaMigration(
            from: SchemaSide(model: request.source.model, schema: inspection.schema),
            to: SchemaSide(
                model: model, schema: StoreSchema(model: model, configuration: request.configuration)),
            indexes: items(catalog.indexes), triggers: items(catalog.triggers), isDeferring: request.isDeferring,
            keepsValues: request.keepsValues, keptValues: try keptValues(connection, catalog),
            makesTrees: try connection.hasRTree)
    }

    /// Returns the properties whose values an earlier migration has preserved.
    private func keptValues(_ connection: Connection, _ catalog: Catalog) throws -> Set<KeptValueTable.Item> {
        guard let table = catalog.table(KeptValueTable.name), !table.isVirtual,
            Set(table.columns.map { $0.name.uppercased() }).isSuperset(of: [
                "ENTITY", "ROWKEY", "PROPERTY", "MEMBERKEY", "VALUE",
            ])
        else { return [] }
        let rows = try connection.rows("SELECT DISTINCT ENTITY, PROPERTY FROM \(KeptValueTable.name) LIMIT 100000")
        return Set(
            rows.compactMap { row in
                row[0].text.flatMap { entity in row[1].text.map { .init(entity: entity, property: $0) } }
            })
    }

    // MARK: The transaction

    /// - Returns: the names of files of large values that no row names any more.
    private func migrate(_ connection: Connection) throws -> Set<String> {
        // Unused tables and columns of an earlier migration could have the names of new ones.
        let unused = try DeferredTasks(connection).finishAll(
            keeping: StoreSchema(model: request.source.model, configuration: request.configuration))
        let migration = try schemaMigration(connection)
        let foreign = MigratedEntityNumbers(connection, catalog: try connection.catalog(), migration: migration)
        try foreign.check()
        let hasFiles = Self.hasLargeValues(request.source.model)
        let before = hasFiles ? try ExternalFiles.names(in: connection) : []
        for step in migration.steps { try run(step, connection) }
        try BackfilledAttributes(connection, layouts: request.destination, configuration: request.configuration).fill(
            after: migration)
        try MigratedDerivations(connection, layouts: request.destination, configuration: request.configuration).compute(
            after: migration)
        for step in migration.closing { try run(step, connection) }
        try SQLiteMigratedHistory(connection, migration, from: request.source, to: request.destination).run()
        try foreign.run()
        try writeIdentity(connection)
        try verify(connection)
        return unused.union(hasFiles ? before.subtracting(try ExternalFiles.names(in: connection)) : [])
    }

    private func run(_ step: MigrationStep, _ connection: Connection) throws {
        let values = step.text.parameters.map(QueryFunctions.value)
        guard step.isCheck else { return try connection.execute(step.text.sql, values) }
        let rows = try connection.rows(step.text.sql, values).map { $0.map(\.integer) }
        if let failure = step.failure(rows: rows, at: url.path) { throw failure }
    }

    private static func hasLargeValues(_ model: NSManagedObjectModel) -> Bool {
        model.entities.contains { $0.attributesByName.values.contains(where: \.allowsExternalBinaryDataStorage) }
    }

    /// Writes the metadata and the cached model of the new version; the program's own metadata and the identifier stay.
    private func writeIdentity(_ connection: Connection) throws {
        let metadata = try StoreMetadata.read(connection, url)
        let fresh = StoreMetadata.new(for: model, configuration: request.configuration)
        var values = MetadataRules.merged(metadata.values, keeping: fresh)
        if try DeferredTasks(connection).next() != nil {
            values[NSPersistentStoreDeferredLightweightMigrationOptionKey] = true
        }
        values[StoreMetadata.autoVacuumKey] = metadata.values[StoreMetadata.autoVacuumKey]
        if metadata.identifier == nil {
            try StoreMetadata.write(values, identifier: UUID().uuidString, to: connection)
        } else {
            try StoreMetadata.rewrite(values, in: connection, url)
        }
        try connection.execute("CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB)")
        try connection.execute("DELETE FROM Z_MODELCACHE")
        // The cached model lets programs open the store without a model; the migration continues if the model cannot be
        // archived.
        if let kept = try? model.cachedModel() {
            try connection.execute("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", [.blob([UInt8](kept))])
        }
    }

    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` naming what is missing; the plan was wrong then, and the
    ///   transaction is rolled back.
    private func verify(_ connection: Connection) throws {
        _ = try SchemaInspection(
            connection, model: model, configuration: request.configuration, url: url, tracksHistory: true)
    }

    private func failure(_ error: any Error) -> NSError {
        ExclusiveFile(url: url, options: request.options).failure(error)
    }
}
