import CoreDataSQL
import SQLiteKit

/// The tables of persistent history, as Apple's framework creates them.
///
/// Source: `sqlite_master` of Apple's stores, the same from framework version 1044 to 1344.
enum HistoryTables {
    /// The entities of the history, by their numbers in `Z_PRIMARYKEY`.
    enum Entity: Int64, CaseIterable {
        case change = 16001
        case transaction = 16002
        case string = 16003

        var name: String {
            switch self {
            case .change: "CHANGE"
            case .transaction: "TRANSACTION"
            case .string: "TRANSACTIONSTRING"
            }
        }

        var table: String { "A\(name)" }

        /// The columns of a transaction that contain keys of strings.
        static let stringKeys = Set(["AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID"].map { "Z\($0)TS" })
    }

    /// The names of the tables, in upper case.
    static let names = Set(Entity.allCases.map(\.table))

    /// Returns the range of existing transactions; an empty one if the tables are missing.
    static func extent(_ connection: Connection) throws -> HistoryExtent {
        let isThere = try connection.value("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'ATRANSACTION'")
        guard isThere != nil else { return HistoryExtent(oldest: nil, newest: 0) }
        let oldest = try connection.value("SELECT min(Z_PK) FROM ATRANSACTION")?.integer
        return HistoryExtent(oldest: oldest, newest: try HistoryKeys.greatest(.transaction, connection))
    }

    static func areAmong(_ tables: [String]) -> Bool {
        let names = Set(tables.map { $0.uppercased() })
        return names.isSuperset(of: ["ACHANGE", "ATRANSACTION"])
    }

    /// Returns the statements that create what is missing for recording transactions.
    ///
    /// - Throws: `Unusable` if existing tables cannot record them.
    static func missing(_ connection: Connection, tombstones: Int) throws -> [String] {
        let catalog = try connection.catalog(columnsOf: names)
        if let reason = flaw(of: catalog, isExtended: true) { throw Unusable(reason: reason) }
        let known = Set(try connection.rows("SELECT Z_ENT FROM Z_PRIMARYKEY").compactMap { $0[0].integer })
        let keys = Entity.allCases.filter { !known.contains($0.rawValue) }.map {
            "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (\($0.rawValue), '\($0.name)', 0, 0)"
        }
        return columns(tombstones: tombstones, catalog) + statements(tombstones: tombstones, catalog) + keys
    }

    /// Why a store's history cannot be written.
    struct Unusable: Error {
        let reason: String
    }

    /// Returns why existing tables with these names cannot be used for recording; nil if they can, or are missing.
    ///
    /// - Parameter isExtended: whether columns that older frameworks lack may be missing, as they are added first.
    static func flaw(of catalog: Catalog, isExtended: Bool = false) -> String? {
        for entity in Entity.allCases {
            guard let table = catalog.table(entity.table) else { continue }
            let present = Set(table.columns.filter { !$0.isGenerated }.map { $0.name.uppercased() })
            let missing = columns(of: entity).filter {
                !present.contains($0.name) && !(isExtended && isLater($0.name, of: entity))
            }.map(\.name)
            guard !table.isVirtual, missing.isEmpty else {
                let lack = table.isVirtual ? "is virtual" : "has no column \(missing.joined(separator: ", "))"
                return "The table \(entity.table) \(lack)."
            }
        }
        return nil
    }

    /// Whether frameworks before macOS 10.14 lack a column.
    private static func isLater(_ column: String, of entity: Entity) -> Bool {
        entity == .transaction && (Entity.stringKeys.contains(column) || column == "ZQUERYGEN")
    }

    private static func columns(of entity: Entity) -> [(name: String, type: String)] {
        let own: [(String, String)] =
            switch entity {
            case .change:
                [
                    ("ZCHANGETYPE", "INTEGER"), ("ZENTITY", "INTEGER"), ("ZENTITYPK", "INTEGER"),
                    ("ZTRANSACTIONID", "INTEGER"), ("ZCOLUMNS", "BLOB"),
                ]
            case .transaction:
                ["AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID"].map { ("Z\($0)TS", "INTEGER") }
                    + [("ZTIMESTAMP", "FLOAT")]
                    + ["AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID"].map { ("Z\($0)", "VARCHAR") }
                    + [("ZQUERYGEN", "BLOB")]
            case .string: [("ZNAME", "VARCHAR")]
            }
        return [("Z_PK", "INTEGER PRIMARY KEY"), ("Z_ENT", "INTEGER"), ("Z_OPT", "INTEGER")] + own
    }

    private static func statements(tombstones: Int, _ catalog: Catalog) -> [String] {
        let tables = Entity.allCases.filter { catalog.table($0.table) == nil }.map { entity in
            var all = columns(of: entity).map { "\($0.name) \($0.type)" }
            if entity == .change { all += (0..<tombstones).map { "ZTOMBSTONE\($0) BLOB" } }
            return "CREATE TABLE \(entity.table) ( \(all.joined(separator: ", ")) )"
        }
        let present = Set(catalog.indexes.map { $0.name.uppercased() })
        return tables + indexes.filter { !present.contains($0.name.uppercased()) }.map(\.sql)
    }

    private static let indexes: [(name: String, sql: String)] = {
        var indexes = [("ACHANGE_ZTRANSACTIONID_INDEX", "INDEX", "ACHANGE (ZTRANSACTIONID)")]
        for name in ["AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID"] {
            indexes.append(("ATRANSACTION_Z\(name)TS_INDEX", "INDEX", "ATRANSACTION (Z\(name)TS)"))
        }
        indexes += [
            ("Z_TRANSACTION_TransactionAuthorIndex", "INDEX", "ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)"),
            ("Z_TRANSACTION_TransactionTimestampIndex", "INDEX", "ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)"),
            ("Z_TRANSACTIONSTRING_UNIQUE_NAME", "UNIQUE INDEX", "ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)"),
        ]
        return indexes.map { ($0.0, "CREATE \($0.1) \($0.0) ON \($0.2)") }
    }()

    /// Returns the statements that add columns: tombstone columns, if the model preserves more values of deleted
    /// objects than there are columns, and columns that tables of old frameworks lack.
    private static func columns(tombstones count: Int, _ catalog: Catalog) -> [String] {
        let later = catalog.table(Entity.transaction.table).map { table in
            let present = Set(table.columns.map { $0.name.uppercased() })
            return columns(of: .transaction).filter { !present.contains($0.name) }
                .map { "ALTER TABLE ATRANSACTION ADD COLUMN \($0.name) \($0.type)" }
        }
        return (later ?? []) + tombstoneColumns(count, catalog)
    }

    private static func tombstoneColumns(_ count: Int, _ catalog: Catalog) -> [String] {
        guard let table = catalog.table(Entity.change.table) else { return [] }
        let present = Set(table.columns.map { $0.name.uppercased() })
        return (0..<count).filter { !present.contains("ZTOMBSTONE\($0)") }
            .map { "ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE\($0) BLOB" }
    }
}
