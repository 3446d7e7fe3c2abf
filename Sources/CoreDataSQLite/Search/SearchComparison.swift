import CoreDataSQL
import SQLiteKit

/// Compares all texts of a store with those of its search index, and enters what differs.
///
/// Of a file that others may have written nothing else is certain: programs that know SQL alone change texts and leave the
/// versions of rows as they are.
struct SearchComparison {
    let file: SearchFile
    let storePath: String

    private static let store = "store"
    private static let portion = 500

    /// Brings the index in step with the store as it is when this begins; gives that state, nil where it cannot be told.
    func run() throws -> StoreState? {
        try file.begin()
        do {
            try file.announceComparison()
            try file.connection.commit()
        } catch {
            file.rollBack()
            throw error
        }
        try attach()
        defer { _ = try? file.connection.execute("DETACH \(Self.store)") }
        let connection = file.connection
        _ = try connection.value("SELECT 1 FROM \(Self.store).sqlite_master LIMIT 1")
        let before = StoreState(connection, schema: Self.store, path: storePath)
        try connection.begin(.immediate)
        do {
            var state = try StoreState.ofSnapshot(connection, schema: Self.store, path: storePath)
            if state?.log != before?.log || state?.file != before?.file { state = nil }
            for (number, column) in file.layout.columns.enumerated() { try compare(number, column) }
            try file.commit(inStepWith: state)
            return state
        } catch {
            file.rollBack()
            throw error
        }
    }

    private func attach() throws {
        let uri = DatabaseFile(path: storePath).uri(isImmutable: false) + "?mode=ro"
        try file.connection.execute("ATTACH ? AS \(Self.store)", [.text(uri)])
    }

    private func compare(_ number: Int, _ column: SearchColumn) throws {
        let connection = file.connection
        let table = "\(Self.store).\(SQLIdentifier.quoted(column.table))"
        let name = SQLIdentifier.quoted(column.column)
        var last: Int64?
        while let start = try next(
            after: last, "SELECT Z_PK FROM \(table) WHERE Z_PK > ?1 ORDER BY Z_PK LIMIT \(Self.portion)")
        {
            let rows = try connection.rows(
                "SELECT Z_PK, CAST(\(name) AS TEXT) FROM \(table) WHERE Z_PK IN "
                    + "(SELECT value FROM json_each(?))", [.text("[\(start.map(String.init).joined(separator: ","))]")])
            for row in rows {
                try file.replace(number, row[0].integer ?? 0, by: row[1].text.map(SearchFile.folded))
            }
            last = start.last
        }
        last = nil
        while let gone = try next(
            after: last,
            "SELECT key FROM text\(number) WHERE key > ?1 AND NOT EXISTS (SELECT 1 FROM \(table) WHERE Z_PK = key) "
                + "ORDER BY key LIMIT \(Self.portion)")
        {
            for key in gone { try file.replace(number, key, by: nil) }
            last = gone.last
        }
    }

    /// The next keys that a query gives after one, or from the first on; nil where there are no more.
    private func next(after last: Int64?, _ query: String) throws -> [Int64]? {
        let sql = last == nil ? query.replacingOccurrences(of: "> ?1", with: ">= ?1") : query
        let keys = try file.connection.rows(sql, [.integer(last ?? .min)]).compactMap { $0.first?.integer }
        return keys.isEmpty ? nil : keys
    }
}
