import CoreDataSQL
import SQLiteKit

/// The tables in which a store keeps the values that transactions of its history have overwritten. Apple's framework
/// ignores these tables.
///
/// | table | columns |
/// |---|---|
/// | `OpenCoreDataOldTransactions` | `ID` of each transaction all of whose old values are stored |
/// | `OpenCoreDataOldValues` | `TRANSACTIONID`, `TABLENAME`, `ROWKEY`, `MEMBERKEY`, `COLUMNNAME`, `VALUE` |
///
/// A row of `OpenCoreDataOldValues` is a column of a changed row, with its value before the transaction. `ROWKEY` is
/// the row's `Z_PK`, and `MEMBERKEY` is 0; for a row of a join table they are its two keys. An entry with an empty
/// `COLUMNNAME` says whether the row existed before (`VALUE` 0: the transaction inserted the row; 1: the transaction
/// deleted it, and entries for all columns that were not null follow).
enum OldValueTables {
    static let transactions = "OpenCoreDataOldTransactions"
    static let values = "OpenCoreDataOldValues"
    /// The names of the tables, in upper case.
    static let names = Set([transactions, values].map { $0.uppercased() })

    /// The `COLUMNNAME` of an entry whose `VALUE` is the `Presence` of the row, not a value of a column.
    static let wholeRow = ""

    /// Whether a row existed before a transaction.
    enum Presence: Int64 {
        case absent = 0
        case deleted = 1
    }

    private static let columns = [
        transactions: ["ID"],
        values: ["TRANSACTIONID", "TABLENAME", "ROWKEY", "MEMBERKEY", "COLUMNNAME", "VALUE"],
    ]

    /// Returns the statements that create missing tables.
    ///
    /// - Throws: `HistoryTables.Unusable` if other tables have their names.
    static func missing(_ catalog: Catalog) throws -> [String] {
        for (name, columns) in columns {
            guard let table = catalog.table(name) else { continue }
            guard !table.isVirtual, Set(table.columns.map { $0.name.uppercased() }).isSuperset(of: columns) else {
                throw HistoryTables.Unusable(
                    reason: "The table \(name) has not the columns that old values are kept in.")
            }
        }
        var statements: [String] = []
        if catalog.table(transactions) == nil {
            statements.append("CREATE TABLE \(transactions) ( ID INTEGER PRIMARY KEY )")
        }
        if catalog.table(values) == nil {
            statements.append(
                "CREATE TABLE \(values) ( TRANSACTIONID INTEGER, TABLENAME TEXT, ROWKEY INTEGER, MEMBERKEY INTEGER, "
                    + "COLUMNNAME TEXT, VALUE, PRIMARY KEY (TRANSACTIONID, TABLENAME, ROWKEY, MEMBERKEY, COLUMNNAME) ) "
                    + "WITHOUT ROWID")
        }
        return statements
    }

    /// Whether a file has both tables.
    static func arePresent(in catalog: Catalog) -> Bool { columns.keys.allSatisfy { catalog.table($0) != nil } }

    /// Removes the old values of all transactions up to `last`.
    static func purge(through last: Int64, _ connection: Connection) throws {
        guard arePresent(in: try connection.catalog(columnsOf: [])) else { return }
        try connection.execute("DELETE FROM \(values) WHERE TRANSACTIONID <= ?", [.integer(last)])
        try connection.execute("DELETE FROM \(transactions) WHERE ID <= ?", [.integer(last)])
    }
}

/// A table whose old values are recorded, with the names that the file has for table and columns.
struct OldValuePlace {
    let table: String
    /// The column with the row's key; for a join table, the two key columns.
    let keys: [String]
    /// All other columns.
    let columns: [String]

    /// Returns the tables of a store's rows and links.
    static func all(of schema: StoreSchema, _ connection: Connection) throws -> [OldValuePlace] {
        var keys: [String: [String]] = [:]
        for mapping in schema.entities {
            keys[mapping.table] = ["Z_PK"]
            for toMany in mapping.toManys {
                guard case .join(let join) = toMany.storage, keys[join.table] == nil else { continue }
                keys[join.table] = [join.ownColumn, join.otherColumn]
            }
        }
        let catalog = try connection.catalog(columnsOf: Set(keys.keys.map { $0.uppercased() }))
        return keys.sorted { $0.key < $1.key }.compactMap { table, keys in
            guard let present = catalog.table(table), !present.isVirtual else { return nil }
            let columns = present.columns.filter { column in
                !column.isGenerated && !keys.contains { $0.uppercased() == column.name.uppercased() }
            }
            return OldValuePlace(table: table, keys: keys, columns: columns.map(\.name))
        }
    }
}
