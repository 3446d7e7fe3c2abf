import CoreDataSQL
import SQLiteKit

/// A store's tables as SQLite has them, for stores whose model is not at hand.
///
/// Changes no byte of the file and leaves none beside it. For one thread at a time.
package final class RawStore {
    /// An entity as the store itself lists it in `Z_PRIMARYKEY`.
    package struct Entity: Sendable {
        package let name: String
        package let number: Int64
        /// The number of the entity above it; 0 for none.
        package let parent: Int64
        /// The table with its rows; nil if the file does not have a table of Core Data's name.
        package let table: String?
    }

    /// How many entities a store is believed to have, and how deep they are believed to be nested.
    private static let mostEntities = 16_000
    private static let deepest = 64

    package let url: URL
    /// The connection itself, for tools with queries that this class does not offer.
    package let connection: Connection
    private let copy: PrivateCopy?
    /// Whether the connection ends with this object.
    private let isOwner: Bool
    package let catalog: Catalog

    /// Opens a store.
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

    /// A store that a tool has opened by a connection of its own, which stays open.
    package init(at url: URL, on connection: Connection, _ catalog: Catalog) {
        self.url = url
        self.connection = connection
        self.catalog = catalog
        copy = nil
        isOwner = false
    }

    deinit { if isOwner { connection.close() } }

    /// The names of the tables, in the order in which they were made; without virtual ones, which would run their modules.
    package var tables: [String] { catalog.tables.filter { !$0.isVirtual }.map(\.name) }

    /// The indexes with the statements that made them.
    package var indexes: [(name: String, table: String, sql: String)] {
        catalog.indexes.map { ($0.name, $0.table, $0.sql) }
    }

    /// Whether the store has the tables in which Core Data keeps its persistent history.
    package var hasHistory: Bool { HistoryTables.areAmong(tables) }

    /// Whether the store has the tables in which its history keeps what transactions wrote over.
    package var hasOldValues: Bool { OldValueTables.arePresent(in: catalog) }

    /// The transactions between two of the history that keep what they wrote over, which only these can give back.
    package func transactionsWithOldValues(in numbers: ClosedRange<Int64>) throws -> Set<Int64> {
        guard hasOldValues else { return [] }
        let rows = try reading {
            try connection.rows(
                "SELECT ID FROM \(OldValueTables.transactions) WHERE ID BETWEEN ? AND ?",
                [.integer(numbers.lowerBound), .integer(numbers.upperBound)])
        }
        return Set(rows.compactMap { $0[0].integer })
    }

    /// The missing tables of a history without which it can be read only in part or not at all.
    ///
    /// Up to macOS 10.13 the table of strings did not exist: the transactions store the texts and do not have keys of strings.
    package var missingHistoryTables: [String] {
        let present = Set(tables.map { $0.uppercased() })
        let keys = HistoryTables.Entity.stringKeys
        let hasKeys = catalog.table("ATRANSACTION").map { table in
            table.columns.contains { keys.contains($0.name.uppercased()) }
        }
        return HistoryTables.Entity.allCases.filter { $0 != .string || hasKeys ?? true }.map(\.table)
            .filter { !present.contains($0) }
    }

    /// The name of a table as the file has it; nil for one that is not there or is virtual.
    package func table(named name: String) -> String? {
        catalog.table(name).flatMap { $0.isVirtual ? nil : $0.name }
    }

    /// The columns of a table that are stored, in their order: reading the others would run what the file says.
    package func columns(of table: String) -> [String] {
        (catalog.table(table)?.columns ?? []).filter { !$0.isGenerated }.map(\.name)
    }

    /// The number of a table's rows.
    package func rowCount(of table: String) throws -> Int {
        try reading { Int(try connection.value("SELECT count(*) FROM \(SQLIdentifier.quoted(table))")?.integer ?? 0) }
    }

    /// The entities of the store, in the order of their numbers, without those of its history.
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

    /// The number of rows of each entity in a table, by the entities' numbers.
    package func counts(in table: String) throws -> [Int64: Int] {
        guard columns(of: table).contains(where: { $0.uppercased() == "Z_ENT" }) else { return [:] }
        let rows = try reading {
            try connection.rows(
                "SELECT Z_ENT, count(*) FROM \(SQLIdentifier.quoted(table)) GROUP BY Z_ENT LIMIT 100000")
        }
        return Dictionary(
            rows.compactMap { row in row[0].integer.map { ($0, Int(row[1].integer ?? 0)) } }, uniquingKeysWith: +)
    }

    /// Passes the rows of a table to a body, with a value for each column; a limit of 0 means no limit.
    ///
    /// `entities` are the numbers of the entities whose rows are wanted; nil for all. The bytes of a value are valid until
    /// the body returns.
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

    /// Runs a block; errors of SQLite in it are said of the store's file.
    package func reading<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw StoreErrors.cocoaError(error, at: url, during: "be read")
        }
    }
}
