import CoreDataSQL
import SQLiteKit

/// Records in a store's history the rows that a tool has changed with its own SQL statements.
///
/// The tool inserts each changed property into `temp.touched`; all of these become updates in one transaction of the
/// history, written within the transaction of the file that changed the rows.
package struct ToolChangeHistory {
    /// The statement that creates the table of changes: entity number, key and property name.
    package static let preparation =
        "CREATE TEMP TABLE touched (entity INTEGER, key INTEGER, property TEXT, PRIMARY KEY (entity, key, property)) "
        + "WITHOUT ROWID"

    private let connection: Connection
    private let schema: StoreSchema

    package init(_ connection: Connection, _ schema: StoreSchema) {
        self.connection = connection
        self.schema = schema
    }

    /// Registers the functions that the triggers of derived attributes call, on a connection that needs no reports of
    /// them.
    package static func registerTriggerFunctions(on connection: Connection) throws {
        for name in [
            "NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
        ] {
            try connection.registerFunction(name, argumentCount: 5, flags: [.innocuous]) { _ in .null }
        }
        try connection.registerFunction("NSCoreDataNow", argumentCount: 0, flags: [.innocuous]) { _ in
            .real(Date().timeIntervalSinceReferenceDate)
        }
    }

    /// Returns why changes cannot be recorded; nil if they can, or the store records no history.
    package static func flaw(of catalog: Catalog) -> String? {
        let present = HistoryTables.Entity.allCases.filter { catalog.table($0.table) != nil }
        guard !present.isEmpty else { return nil }
        if let flaw = HistoryTables.flaw(of: catalog) { return flaw }
        let missing = HistoryTables.Entity.allCases.filter { !present.contains($0) }.map(\.table)
        return missing.isEmpty ? nil : "The table \(missing.joined(separator: ", ")) is missing."
    }

    /// Writes the transaction; returns its number, nil if nothing was changed.
    package func record(author: String) throws -> Int64? {
        guard
            let count = try connection.value("SELECT count(*) FROM (SELECT DISTINCT entity, key FROM temp.touched)")?
                .integer,
            count > 0
        else { return nil }
        let keys = HistoryKeys()
        keys.begin(connection)
        let transaction = try keys.take(1, of: .transaction, connection)
        let strings = try [author, ProcessIdentity.name].map { try keys.string($0, connection) }
        try connection.execute(
            "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZPROCESSIDTS, ZTIMESTAMP) "
                + "VALUES (?, \(HistoryTables.Entity.transaction.rawValue), ?, ?, ?)",
            [.integer(transaction), .integer(strings[0]), .integer(strings[1])]
                + [.real(Date().timeIntervalSinceReferenceDate)])
        try write(transaction, first: try keys.take(Int(clamping: count), of: .change, connection))
        try keys.record(connection)
        return transaction
    }

    private func write(_ transaction: Int64, first: Int64) throws {
        let insertion = try connection.prepare(
            "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) "
                + "VALUES (?, \(HistoryTables.Entity.change.rawValue), \(ChangeRecord.Kind.update.rawValue), ?, ?, ?, ?)"
        )
        let changes = try connection.prepare("SELECT entity, key, property FROM temp.touched ORDER BY entity, key")
        var next = first
        var row: (entity: Int64, key: Int64, properties: Set<String>)?
        func flush() throws {
            guard let row else { return }
            try insertion.bind([
                .integer(next), .integer(row.entity), .integer(row.key), .integer(transaction),
                .blob(packed(row.properties, of: row.entity)),
            ])
            try insertion.run()
            next += 1
        }
        while try changes.step() {
            let (entity, key) = (changes.int64(0), changes.int64(1))
            if row?.entity != entity || row?.key != key {
                try flush()
                row = (entity, key, [])
            }
            if let property = changes.text(2) { row?.properties.insert(property) }
        }
        try flush()
    }

    /// Returns a set of properties in the stored form (`HistoryProperties`).
    private func packed(_ changed: Set<String>, of entity: Int64) -> [UInt8] {
        guard let mapping = Int(exactly: entity).flatMap({ schema.entity(number: $0) }) else { return [] }
        let groups = [
            mapping.toOnes.map(\.name), Array(Set(mapping.attributes.map(\.name))), mapping.toManys.map(\.name),
        ]
        let names = groups.flatMap { $0.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
        var bytes = [UInt8](repeating: 0, count: (names.count + 7) / 8)
        for (number, name) in names.enumerated() where changed.contains(name) {
            bytes[number / 8] |= 0x80 >> UInt8(number % 8)
        }
        return bytes
    }
}
