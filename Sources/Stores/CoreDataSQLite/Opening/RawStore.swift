import CoreDataSQL
import SQLiteKit

/// Direct access to a store's tables through SQLite, for stores whose model is not available.
///
/// Does not change the file and leaves no files beside it. To be used by one thread at a time.
package final class RawStore {
    /// An entity as listed in the store's `Z_PRIMARYKEY`.
    package struct Entity: Sendable {
        package let name: String
        package let number: Int64
        /// The number of the superentity; 0 for none.
        package let parent: Int64
        /// The table with the entity's rows; nil if the file has no table with the name that Core Data would use.
        package let table: String?
    }

    /// The greatest entity number that is read, and how many superentities are followed: these may form a cycle.
    private static let mostEntities = 16_000
    private static let deepest = 64

    package let url: URL
    /// The connection, for tools that need queries that this class does not offer.
    package let connection: Connection
    private let copy: PrivateCopy?
    /// Whether this object closes the connection.
    private let isOwner: Bool
    package let catalog: Catalog

    /// Opens a store for reading.
    ///
    /// - Throws: `NSPersistentStoreOpenError` when the file cannot be opened or is not a store.
    package init(at url: URL) throws {
        SQLDebug.install()
        self.url = url
        do {
            let (connection, copy) = try SQLiteStoreOpening.connectForReading(url, leavesTraces: false)
            do {
                try SQLiteStoreOpening.requireStore(connection, url)
                catalog = try connection.catalog()
            } catch {
                connection.close()
                throw error
            }
            self.connection = connection
            self.copy = copy
            isOwner = true
        } catch let error as SQLiteError {
            throw StoreErrors.cocoaError(error, opening: url)
        }
    }

    /// Uses a connection that a tool has opened; the connection stays open.
    package init(at url: URL, on connection: Connection, _ catalog: Catalog) {
        self.url = url
        self.connection = connection
        self.catalog = catalog
        copy = nil
        isOwner = false
    }

    deinit { if isOwner { connection.close() } }

    /// The names of the tables, in the order of their creation; without virtual tables, as reading one runs code of its
    /// module.
    package var tables: [String] { catalog.tables.filter { !$0.isVirtual }.map(\.name) }

    /// The indexes, with the SQL that created them.
    package var indexes: [(name: String, table: String, sql: String)] {
        catalog.indexes.map { ($0.name, $0.table, $0.sql) }
    }

    /// Whether the store has the tables of Core Data's persistent history.
    package var hasHistory: Bool { HistoryTables.areAmong(tables) }

    /// Whether the store has the tables for old values, which transactions have overwritten.
    package var hasOldValues: Bool { OldValueTables.arePresent(in: catalog) }

    /// Returns the transactions in a range that have stored the old values that they overwrote; only these can be
    /// reverted.
    package func transactionsWithOldValues(in numbers: ClosedRange<Int64>) throws -> Set<Int64> {
        guard hasOldValues else { return [] }
        let rows = try reading {
            try connection.rows(
                "SELECT ID FROM \(OldValueTables.transactions) WHERE ID BETWEEN ? AND ?",
                [.integer(numbers.lowerBound), .integer(numbers.upperBound)])
        }
        return Set(rows.compactMap { $0[0].integer })
    }

    /// The missing tables of the history, without which the history can be read only in part or not at all.
    ///
    /// Up to macOS 10.13 there was no table of strings: transactions contain the strings and have no keys of strings.
    package var missingHistoryTables: [String] {
        let present = Set(tables.map { $0.uppercased() })
        let keys = HistoryTables.Entity.stringKeys
        let hasKeys = catalog.table("ATRANSACTION").map { table in
            table.columns.contains { keys.contains($0.name.uppercased()) }
        }
        return HistoryTables.Entity.allCases.filter { $0 != .string || hasKeys ?? true }.map(\.table)
            .filter { !present.contains($0) }
    }

    /// Returns a table's name as spelled in the file; nil if the table is missing or virtual.
    package func table(named name: String) -> String? {
        catalog.table(name).flatMap { $0.isVirtual ? nil : $0.name }
    }

    /// Returns the stored columns of a table in their order; reading a generated column would evaluate an expression of
    /// the file.
    package func columns(of table: String) -> [String] {
        (catalog.table(table)?.columns ?? []).filter { !$0.isGenerated }.map(\.name)
    }

    /// The number of a table's rows.
    package func rowCount(of table: String) throws -> Int {
        try reading { Int(try connection.value("SELECT count(*) FROM \(SQLIdentifier.quoted(table))")?.integer ?? 0) }
    }

    /// Returns the store's entities in the order of their numbers, without those of the history.
    package func entities() throws -> [Entity] {
        guard let keys = catalog.table("Z_PRIMARYKEY"), !keys.isVirtual else { return [] }
        let names = Set(keys.columns.filter { !$0.isGenerated }.map { $0.name.uppercased() })
        guard names.isSuperset(of: ["Z_ENT", "Z_NAME", "Z_SUPER"]) else { return [] }
        let rows = try reading {
            try connection.rows(
                "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE typeof(Z_ENT) = 'integer' AND "
                    + "typeof(Z_NAME) = 'text' AND Z_ENT BETWEEN 1 AND \(Self.mostEntities) ORDER BY Z_ENT")
        }
        let named = rows.compactMap { row in row[1].text.map { (row[0].integer ?? 0, $0, row[2].integer ?? 0) } }
        let byNumber = Dictionary(named.map { ($0.0, $0) }, uniquingKeysWith: { first, _ in first })
        return named.map { number, name, parent in
            var root = (number, name, parent)
            for _ in 0..<Self.deepest { root = byNumber[root.2] ?? root }
            return Entity(name: name, number: number, parent: parent, table: table(named: "Z" + root.1.uppercased()))
        }
    }

    /// Returns the number of rows in a table for each entity number.
    package func counts(in table: String) throws -> [Int64: Int] {
        guard columns(of: table).contains(where: { $0.uppercased() == "Z_ENT" }) else { return [:] }
        let rows = try reading {
            try connection.rows(
                "SELECT Z_ENT, count(*) FROM \(SQLIdentifier.quoted(table)) GROUP BY Z_ENT LIMIT 100000")
        }
        return Dictionary(
            rows.compactMap { row in row[0].integer.map { ($0, Int(row[1].integer ?? 0)) } }, uniquingKeysWith: +)
    }

    /// Passes the rows of a table to `body`, with a value for each column; a limit of 0 means no limit.
    ///
    /// `entities` are the numbers of the entities whose rows are wanted; nil for all. The bytes of values are valid
    /// until `body` returns.
    package func forEachRow(
        of table: String, entities: [Int64]?, limit: Int, offset: Int, _ body: ([StoredValue]) throws -> Void
    ) throws {
        let columns = columns(of: table)
        guard !columns.isEmpty else { return }
        let list = columns.map(SQLIdentifier.quoted).joined(separator: ", ")
        var sql = "SELECT \(list) FROM \(SQLIdentifier.quoted(table))"
        if let entities { sql += " WHERE Z_ENT IN (\(entities.map(String.init).joined(separator: ", ")))" }
        sql += " LIMIT ? OFFSET ?"
        let statement = try reading { () throws -> Statement in
            let statement = try connection.prepare(sql)
            try statement.bind([.integer(limit > 0 ? Int64(limit) : -1), .integer(Int64(offset))])
            return statement
        }
        while try reading({ try statement.step() }) {
            try body(columns.indices.map { StoredValue(statement, $0) })
        }
    }

    /// Runs a block and converts SQLite's errors to errors that name the store's file.
    package func reading<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw StoreErrors.cocoaError(error, at: url, during: "be read")
        }
    }
}
