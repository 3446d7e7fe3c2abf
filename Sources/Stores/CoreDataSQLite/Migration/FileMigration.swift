import CoreDataSQL
import SQLiteKit

/// Makes a store's file one of another model, in one transaction in the file itself.
///
/// Invariants:
/// 1. Nothing is written outside of the transaction but new files of large values, which go again if it fails.
/// 2. Files of large values that no row names any more go after the commit.
/// 3. What is committed has been found to have the tables of the new model.
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
            // The next reader of the file need not read the log first; where that fails, the log is as good.
            _ = try? connection.checkpoint(.truncate)
        } catch {
            throw failure(error)
        }
    }

    /// What would be done, with the numbers of rows; asked of a connection that cannot write.
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
        // The migration updates the history's own tables, so they are not a reason to refuse writing.
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

    /// The properties whose values an earlier migration has preserved.
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
        // What an earlier migration has left would be in the way of new tables and columns.
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

    /// Writes the metadata and the cached model of the new version; the program's own metadata and the identity stay.
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
        // The model serves programs that open the store without it; the migration continues where it cannot be archived.
        if let kept = try? model.cachedModel() {
            try connection.execute("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", [.blob([UInt8](kept))])
        }
    }

    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` naming what is missing; then the plan was wrong, and nothing is committed.
    private func verify(_ connection: Connection) throws {
        _ = try SchemaInspection(
            connection, model: model, configuration: request.configuration, url: url, tracksHistory: true)
    }

    private func failure(_ error: any Error) -> NSError {
        ExclusiveFile(url: url, options: request.options).failure(error)
    }
}
