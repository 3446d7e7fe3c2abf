import CoreDataSQL
import PostgresKit

/// Copies a store to another schema, database or server, atomically.
///
/// Rows are passed from COPY TO on the source to COPY FROM on the destination in binary format, from one snapshot of
/// the source.
struct PostgresStoreCopy {
    private let source: PostgresLocation
    private let destination: PostgresLocation

    init(from source: PostgresLocation, to destination: PostgresLocation) {
        self.source = source
        self.destination = destination
    }

    /// - Parameter isReplacing: whether a store at the destination is replaced; otherwise the copy is refused.
    /// - Throws: `NSPersistentStoreOpenError` if there is no store at the source, or the destination must not be
    ///   replaced.
    func run(replacing isReplacing: Bool) throws {
        try PostgresUnopenedStore(source).withStore("be copied") { source in
            try PostgresUnopenedStore(destination).withConnection("be written") { destination in
                // The table is locked before the first query takes the snapshot, so that no migration can happen in
                // between.
                let lock = PostgresStatement("LOCK TABLE \(source.schema.table("Z_METADATA")) IN ACCESS SHARE MODE")
                try source.connection.transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", first: [lock]) {
                    try destination.connection.transaction {
                        try copy(source, to: destination, replacing: isReplacing)
                    }
                }
            }
        }
    }

    private func copy(
        _ source: PostgresUnopenedStore.Connected, to destination: PostgresUnopenedStore.Connected,
        replacing isReplacing: Bool
    ) throws {
        guard let model = try source.cachedModel() else {
            throw PostgresLocation.refusal(
                self.source.publicURL, "it carries no model, by which its tables are known",
                hint: "Open it once with its model and migrate it with migratePersistentStore.")
        }
        if try PostgresMetadata.isPresent(destination.connection, destination.schema) {
            guard isReplacing else {
                throw PostgresLocation.refusal(
                    self.destination.publicURL, "there is a store already", hint: "Destroy it, or give another schema.")
            }
            let names = try PostgresUnopenedStore.tables(destination).map {
                destination.schema.dialect.namespace + SQLIdentifier.alwaysQuoted($0)
            }
            _ = try destination.connection.query("DROP TABLE IF EXISTS \(names.joined(separator: ", "))")
        }
        let present = Set(try PostgresUnopenedStore.tables(source))
        let schema = StoreSchema(model: model)
        let (from, to) = (
            PostgresSchema(schema, in: self.source.schema), PostgresSchema(schema, in: self.destination.schema)
        )
        _ = try destination.connection.pipeline(to.creationStatements.map { PostgresStatement($0) })
        for table in from.tables where present.contains(PostgresStoreOpening.serverName(table.name)) {
            let columns = table.columns.map(SQLIdentifier.quoted).joined(separator: ", ")
            let reading = "COPY \(from.table(table.name)) (\(columns)) TO STDOUT (FORMAT binary)"
            _ = try destination.connection.copyIn(
                "COPY \(to.table(table.name)) (\(columns)) FROM STDIN (FORMAT binary)"
            ) { write in try source.connection.copyOut(reading) { try write($0) } }
        }
    }
}

extension PostgresSchema {
    /// The names and columns of all tables, including those that every store has.
    fileprivate var tables: [(name: String, columns: [String])] {
        store.tables.map { ($0.name, $0.columns.map(\.name)) } + [
            ("Z_PRIMARYKEY", ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"]),
            ("Z_METADATA", ["Z_VERSION", "Z_UUID", "Z_PLIST"]), ("Z_MODELCACHE", ["Z_CONTENT"]),
        ]
    }
}
