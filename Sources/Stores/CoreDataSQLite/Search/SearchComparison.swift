import CoreDataSQL
import SQLiteKit

/// Compares all texts and coordinates of a store with those of its search index, and corrects the index.
///
/// If other programs may have written to the file, nothing less is reliable: programs that only use SQL change texts
/// without changing the versions of rows.
struct SearchComparison {
    let file: SearchFile
    let storePath: String
    /// Called after each portion; returns whether to continue.
    var goesOn: () -> Bool = { true }

    /// Thrown when `goesOn` returns false.
    struct Cancelled: Error {}

    private static let store = "store"
    private static let portion = 500

    /// Makes the index equal to the store as it is at the beginning; returns that state, nil if it cannot be
    /// determined.
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
            for (number, column) in file.layout.columns.enumerated() { try compare(number, column, inPortions: false) }
            for (number, pair) in file.layout.pairs.enumerated() { try compare(number, pair, inPortions: false) }
            try file.commit(inStepWith: state)
            return state
        } catch {
            file.rollBack()
            throw error
        }
    }

    /// Corrects the index in portions, each in its own transaction; afterwards the index is almost up to date.
    func enterInPortions() throws {
        let connection = file.connection
        try connection.begin(.immediate)
        do {
            try file.announceBuilding()
            try connection.commit()
            try attach()
            defer { _ = try? connection.execute("DETACH \(Self.store)") }
            for (number, column) in file.layout.columns.enumerated() { try compare(number, column, inPortions: true) }
            for (number, pair) in file.layout.pairs.enumerated() { try compare(number, pair, inPortions: true) }
        } catch {
            file.rollBack()
            throw error
        }
    }

    private func attach() throws {
        let uri = DatabaseFile(path: storePath).uri(isImmutable: false) + "?mode=ro"
        try file.connection.execute("ATTACH ? AS \(Self.store)", [.text(uri)])
    }

    private func compare(_ number: Int, _ column: SearchColumn, inPortions: Bool) throws {
        let name = SQLIdentifier.quoted(column.column)
        try forEachPortion(of: column.table, index: "text\(number)", "CAST(\(name) AS TEXT)", inPortions: inPortions) {
            row in
            try file.replace(number, row[0].integer ?? 0, by: row[1].text.map(SearchFile.folded))
        } gone: { key in
            try file.replace(number, key, by: nil)
        }
    }

    private func compare(_ number: Int, _ pair: SearchPair, inPortions: Bool) throws {
        let names = [pair.x, pair.y].map(SQLIdentifier.quoted).joined(separator: ", ")
        try forEachPortion(
            of: pair.table, index: "(SELECT rowid AS key FROM box\(number)_rowid)", names, inPortions: inPortions
        ) { row in
            try file.replace(pair: number, row[0].integer ?? 0, by: SearchPlace(row[1], row[2]))
        } gone: { key in
            try file.replace(pair: number, key, by: nil)
        }
    }

    /// Passes the key and the values of every row of a table, and the keys in the index without a row.
    ///
    /// With `inPortions`, each portion is a transaction; otherwise the caller has begun a transaction.
    private func forEachPortion(
        of table: String, index: String, _ values: String, inPortions: Bool, row body: ([Value]) throws -> Void,
        gone: (Int64) throws -> Void
    ) throws {
        let connection = file.connection
        let table = "\(Self.store).\(SQLIdentifier.quoted(table))"
        var last: Int64?
        while let start = try next(
            after: last, "SELECT Z_PK FROM \(table) WHERE Z_PK > ?1 ORDER BY Z_PK LIMIT \(Self.portion)")
        {
            guard goesOn() else { throw Cancelled() }
            if inPortions { try connection.begin(.immediate) }
            let rows = try connection.rows(
                "SELECT Z_PK, \(values) FROM \(table) WHERE Z_PK IN (SELECT value FROM json_each(?))",
                [.text("[\(start.map(String.init).joined(separator: ","))]")])
            for row in rows { try body(row) }
            if inPortions { try connection.commit() }
            last = start.last
        }
        // Only a comparison of the complete store searches for keys without a row.
        guard !inPortions else { return }
        last = nil
        while let keys = try next(
            after: last,
            "SELECT key FROM \(index) WHERE key > ?1 AND NOT EXISTS (SELECT 1 FROM \(table) WHERE Z_PK = key) "
                + "ORDER BY key LIMIT \(Self.portion)")
        {
            for key in keys { try gone(key) }
            last = keys.last
        }
    }

    /// Returns the next keys of a query after `last`, or its first ones if `last` is nil; nil if there are no more
    /// keys.
    private func next(after last: Int64?, _ query: String) throws -> [Int64]? {
        let sql = last == nil ? query.replacingOccurrences(of: "> ?1", with: ">= ?1") : query
        let keys = try file.connection.rows(sql, [.integer(last ?? .min)]).compactMap { $0.first?.integer }
        return keys.isEmpty ? nil : keys
    }
}
