import CoreDataSQL
import SQLiteKit

/// Reads the history of a store, whichever version of Apple's framework created its tables.
///
/// Damaged records are skipped: a value of an unexpected type is nil, and a change of an unknown kind is omitted.
struct SQLiteHistoryReader {
    private let file: StoreFile
    private let properties: [HistoryProperties]
    private let catalog: Catalog
    /// The entity of the last change, cached since changes of one entity often follow each other.
    private var subject: Subject?

    /// The entity of a change; the binding is nil if the model lacks the entity.
    private struct Subject {
        let number: Int64
        let binding: EntityBinding?
        let properties: HistoryProperties?
    }

    init(_ file: StoreFile, properties: [HistoryProperties]) throws {
        self.file = file
        self.properties = properties
        catalog = try file.connection.catalog(columnsOf: HistoryTables.names)
    }

    mutating func read(
        _ query: HistoryQuery, transaction: (HistoryTransaction) throws -> HistoryReading,
        change: (HistoryChange) throws -> Void
    ) throws {
        guard catalog.table("ATRANSACTION") != nil else { return }
        let headers = try headers(query)
        // Transactions are reported even if the table of changes is missing.
        let changes = hasChanges ? try changes(query) : nil
        while try headers.step() {
            let header = Self.header(headers)
            switch try transaction(header) {
            case .end: return
            case .next: continue
            case .changes:
                guard let changes else { continue }
                try changes.bind(header.number, at: 1)
                while try changes.step() {
                    if let found = self.change(changes) { try change(found) }
                }
            }
        }
    }

    // MARK: Transactions

    private func headers(_ query: HistoryQuery) throws -> Statement {
        var conditions: [String] = []
        var values: [Value] = []
        switch query.after {
        case .number(let number)?:
            conditions.append("t.Z_PK > ?")
            values.append(.integer(number))
        case .time(let time)?:
            conditions.append("t.ZTIMESTAMP > ?")
            values.append(.real(time))
        case nil: break
        }
        if let last = query.through {
            conditions.append("t.Z_PK <= ?")
            values.append(.integer(last))
        }
        let statement = try file.connection.prepare(
            "SELECT \(Self.headerColumns(catalog)) FROM ATRANSACTION t"
                + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
                + " ORDER BY t.Z_PK")
        try statement.bind(values)
        return statement
    }

    /// Returns the columns of `ATRANSACTION t` from which `header` makes a transaction.
    static func headerColumns(_ catalog: Catalog) -> String {
        let texts = ["AUTHOR", "CONTEXTNAME", "BUNDLEID", "PROCESSID"].map(text(in: catalog))
        let hasTime = catalog.table("ATRANSACTION")?.columns.contains { $0.name.uppercased() == "ZTIMESTAMP" } ?? false
        return (["t.Z_PK", hasTime ? "t.ZTIMESTAMP" : "0"] + texts).joined(separator: ", ")
    }

    /// Returns SQL for a string of a transaction: referenced by key if the tables have such a column, or stored in the
    /// row.
    private static func text(in catalog: Catalog) -> (String) -> String {
        let columns = Set(catalog.table("ATRANSACTION")?.columns.map { $0.name.uppercased() } ?? [])
        let hasStrings =
            catalog.table("ATRANSACTIONSTRING")?.columns.contains { $0.name.uppercased() == "ZNAME" } ?? false
        return { name in
            var forms: [String] = []
            if hasStrings, columns.contains("Z\(name)TS") {
                forms.append("(SELECT s.ZNAME FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.Z\(name)TS)")
            }
            if columns.contains("Z\(name)") { forms.append("t.Z\(name)") }
            return forms.count > 1 ? "COALESCE(\(forms.joined(separator: ", ")))" : forms.first ?? "NULL"
        }
    }

    /// Makes the transaction of a row with `headerColumns`.
    static func header(_ row: Statement) -> HistoryTransaction {
        func text(_ index: Int) -> String? { row.columnType(index) == .text ? row.text(index) : nil }
        let time = row.double(1)
        return HistoryTransaction(
            number: row.int64(0), time: time.isFinite ? time : 0, author: text(2), contextName: text(3),
            bundleID: text(4),
            processID: text(5))
    }

    // MARK: Changes

    /// Whether there is a table of changes with all required columns.
    private var hasChanges: Bool {
        ["Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"].allSatisfy { has("ACHANGE", $0) }
    }

    private func changes(_ query: HistoryQuery) throws -> Statement {
        let count = properties.map(\.tombstoneSlots.count).max() ?? 0
        let tombstones = (0..<count).map { has("ACHANGE", "ZTOMBSTONE\($0)") ? ", ZTOMBSTONE\($0)" : ", NULL" }.joined()
        var condition = ""
        if let row = query.row {
            let numbers = file.layouts.entities.filter {
                $0.number >= 0 && file.plan(of: $0)?.binding.table == row.table
            }
            .map { String(file.entityNumber(ofLayout: $0.number)) }
            condition = " AND ZENTITYPK = \(row.key) AND ZENTITY IN (\(numbers.joined(separator: ", ")))"
        }
        return try file.connection.prepare(
            "SELECT Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, \(has("ACHANGE", "ZCOLUMNS") ? "ZCOLUMNS" : "NULL")\(tombstones) "
                + "FROM ACHANGE WHERE ZTRANSACTIONID = ?\(condition) ORDER BY Z_PK")
    }

    private mutating func change(_ row: Statement) -> HistoryChange? {
        let type = row.cell(1)
        guard type.type == .integer, let kind = ChangeRecord.Kind(rawValue: type.int64) else { return nil }
        let subject = subject(row.cell(2))
        var changed: SlotSet?
        if kind == .update, row.columnType(4) == .blob {
            changed = subject?.properties?.properties(packed: row.blobBytes(4))
        }
        var tombstone: [DerivedCell] = []
        if kind == .delete, let slots = subject?.properties?.tombstoneSlots {
            tombstone = slots.indices.map { DerivedCell(StoredValue(row, 5 + $0)) }
        }
        let address = subject?.binding.map { RowAddress(binding: $0, key: row.int64(3)) }
        return HistoryChange(
            id: row.int64(0), kind: kind, address: address, properties: changed, tombstone: tombstone)
    }

    private mutating func subject(_ entity: StatementCell) -> Subject? {
        guard entity.type == .integer else { return nil }
        let number = entity.int64
        if let subject, subject.number == number { return subject }
        let plan = file.plan(number: number)
        subject = Subject(
            number: number, binding: plan?.binding, properties: plan.map { properties[$0.layout.number] })
        return subject
    }

    private func has(_ table: String, _ column: String) -> Bool {
        catalog.table(table)?.columns.contains { $0.name.uppercased() == column } ?? false
    }
}

extension StoreFile {
    fileprivate func plan(of layout: EntityLayout) -> RowPlan? { plan(number: entityNumber(ofLayout: layout.number)) }
}
