import CoreDataSQL
import PostgresKit

/// The target of a copy: a store in a schema that is filled with the rows of another store by COPY.
///
/// Until it is finished, its table `z_metadata` is empty, so that it cannot be opened, and `z_copy` records the
/// progress.
final class SchemaTableTarget: TableTarget {
    private let location: PostgresLocation
    private let model: NSManagedObjectModel
    let connection: PostgresConnection
    private(set) var tables: PostgresSchema

    init(at url: URL, for model: NSManagedObjectModel) throws {
        let location = try PostgresLocation(url)
        self.location = location
        self.model = model
        tables = PostgresSchema(StoreSchema(model: model), in: location.schema)
        do {
            connection = try location.connect(timeout: .seconds(10))
        } catch {
            throw PostgresErrors.opening(error, location)
        }
    }

    func close() { connection.close() }

    func begin(
        _ origin: CopyOrigin, schema: StoreSchema, keys: [StoreSchema.PrimaryKeyRow]
    ) throws -> CopyPlace {
        tables = PostgresSchema(schema, in: location.schema)
        return try writing {
            // Only one program may copy to the schema: the lock ends with the connection, so a copy that was killed can
            // resume at once.
            let locked = try connection.query(
                "SELECT pg_try_advisory_lock(hashtextextended($1::text, 2))", [.text(location.schema)])
            guard locked.int64(0, 0) == 1 else {
                throw PostgresLocation.refusal(
                    location.publicURL, "another program is copying to it", hint: "Wait until it has finished.")
            }
            // Commits need not wait for the disk: a crash of the server loses rows together with the recorded progress.
            // The last transaction does wait.
            _ = try connection.query("SET synchronous_commit = off")
            if let found = try SchemaCopyRecord.read(connection, tables) {
                guard found.origin == origin else {
                    throw PostgresLocation.refusal(
                        location.publicURL, UnfinishedCopy.change(found.origin, origin),
                        hint: UnfinishedCopy.restartHint)
                }
                return found.place
            }
            guard try !PostgresMetadata.isPresent(connection, tables) else {
                throw PostgresLocation.refusal(
                    location.publicURL, "there is a store already", hint: "Destroy it, or give another schema.")
            }
            let record = SchemaCopyRecord(origin: origin, place: CopyPlace(table: 0))
            try connection.transaction { _ = try connection.pipeline(creation(keys, record)) }
            return record.place
        }
    }

    private func creation(_ keys: [StoreSchema.PrimaryKeyRow], _ record: SchemaCopyRecord) -> [PostgresStatement] {
        var statements = (tables.tableStatements + [SchemaCopyRecord.creation(tables)]).map { PostgresStatement($0) }
        statements += keys.map { tables.insertion($0) }
        if let kept = try? model.cachedModel() { statements.append(tables.insertion(model: kept)) }
        return statements + [record.insertion(tables)]
    }

    func add(
        to table: CopiedTable,
        _ fill: (_ put: (TableRow) throws -> Void) throws -> CopyPlace
    ) throws {
        try writing {
            let own = tables.store.tables[table.number]
            let types = own.columns.map(\.type)
            let columns = own.columns.map { SQLIdentifier.quoted($0.name) }.joined(separator: ", ")
            try connection.transaction {
                let place = try copy(into: "\(tables.table(own.name)) (\(columns))") { writer in
                    try fill { row in
                        try writer.beginRow(row.values.count)
                        guard !row.long.isEmpty else {
                            for index in row.values.indices { try writer.append(row.values[index], types[index]) }
                            return
                        }
                        for index in row.values.indices {
                            if let long = row.long[index] {
                                try writer.append(long, types[index])
                            } else {
                                try writer.append(row.values[index], types[index])
                            }
                        }
                    }
                }
                if let place { _ = try connection.pipeline([SchemaCopyRecord.update(place, tables)]) }
            }
        }
    }

    /// Copies rows into columns of a table; returns the progress of the copy after them.
    func copy(into columns: String, _ fill: (CopyWriter) throws -> CopyPlace) throws -> CopyPlace? {
        var place: CopyPlace?
        _ = try connection.copyIn("COPY \(columns) FROM STDIN (FORMAT binary)") { send in
            try withoutActuallyEscaping(send) { send in
                let writer = try CopyWriter(sendingTo: send)
                place = try fill(writer)
                try writer.finish()
            }
        }
        return place
    }

    func finish(_ metadata: [String: Any], history: HistoryExtent?) throws {
        try writing {
            var values = metadata
            values["_NSAutoVacuumLevel"] = nil
            let bytes = try PostgresMetadata.bytes(of: values, location)
            try connection.transaction {
                if let history { try finishHistory(history) }
                let statements =
                    ["SET LOCAL synchronous_commit = on"] + tables.indexStatements
                    + ["DROP TABLE \(tables.table(UnfinishedCopy.table))"]
                _ = try connection.pipeline(
                    statements.map { PostgresStatement($0) }
                        + [PostgresMetadata.insertion(identifier: UUID().uuidString, bytes, tables)])
            }
            // Without statistics the first queries of new tables are slow; it does no harm if the role may not ANALYZE.
            for table in tables.store.tables { _ = try? connection.query("ANALYZE \(tables.table(table.name))") }
        }
    }

    func discard() throws {
        try writing {
            guard try SchemaCopyRecord.read(connection, tables) != nil else { return }
            try PostgresUnopenedStore(location).destroy()
        }
    }

    func writing<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as PostgresError {
            throw PostgresErrors.during("be written", error: error, location: location)
        }
    }
}
