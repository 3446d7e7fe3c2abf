import CoreDataSQL
import SQLiteKit

/// Inserts the changes of one transaction into the table of changes, several rows per statement: starting and ending a
/// statement takes SQLite longer than writing a row.
struct ChangeInsertion {
    /// The maximum number of rows that one statement inserts.
    static let mostRows = 40
    /// The maximum number of parameters in the oldest SQLite libraries.
    private static let mostParameters = 999

    private let transaction: Int64
    private let tombstones: Int
    private let connection: Connection
    private var next: Int64
    private var kind = ChangeRecord.Kind.insert
    private var remaining = 0
    /// The number of rows that the statement inserts, and the number of rows whose values are bound.
    private var (capacity, filled) = (0, 0)
    private var statement: Statement?

    /// `first` is the key of the first change; `tombstones` is the number of tombstone columns.
    init(_ transaction: Int64, first: Int64, tombstones: Int, _ connection: Connection) {
        (self.transaction, next, self.tombstones, self.connection) = (transaction, first, tombstones, connection)
    }

    /// Announces `count` changes of a kind.
    mutating func begin(_ kind: ChangeRecord.Kind, count: Int) throws {
        (self.kind, remaining) = (kind, count)
        try prepare()
    }

    /// Inserts a change, at once or together with later ones; all have been inserted after the last announced change.
    mutating func insert(_ change: ChangeRecord.Change, entity: Int64, columns: Value) throws {
        guard let statement else { return }
        let start = Self.sharedParameters + filled * (3 + tombstones)
        try statement.bind(entity, at: start + 1)
        try statement.bind(change.address.key, at: start + 2)
        try statement.bind(columns, at: start + 3)
        for place in 0..<tombstones {
            let value = place < change.tombstone.count ? Value(change.tombstone[place]) : .null
            try statement.bind(value, at: start + 4 + place)
        }
        filled += 1
        guard filled == capacity else { return }
        try statement.bind(next, at: 1)
        try statement.run()
        next += Int64(capacity)
        remaining -= capacity
        filled = 0
        if remaining < capacity { try prepare() }
    }

    private mutating func prepare() throws {
        let most = max(1, min(Self.mostRows, (Self.mostParameters - Self.sharedParameters) / (3 + tombstones)))
        capacity = remaining < most ? 1 : most
        statement = nil
        guard remaining > 0 else { return }
        statement = try connection.prepare(sql)
        // Bound as parameters, so that the same compiled statement serves every transaction.
        try statement?.bind(transaction, at: 2)
        try statement?.bind(kind.rawValue, at: 3)
    }

    /// The parameters for the first key, the transaction and the kind.
    private static let sharedParameters = 3

    private var sql: String {
        let names = (0..<tombstones).map { ", ZTOMBSTONE\($0)" }.joined()
        let values = String(repeating: ", ?", count: 3 + tombstones)
        let rows = (0..<capacity).map { "(?1 + \($0), \(HistoryTables.Entity.change.rawValue), ?2, ?3\(values))" }
        return "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZTRANSACTIONID, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS\(names)) "
            + "VALUES \(rows.joined(separator: ", "))"
    }
}

extension Value {
    /// Converts a cell to a value that SQLite can bind.
    init(_ cell: DerivedCell) {
        switch cell.tag {
        case RowTag.integer: self = .integer(Int64(bitPattern: cell.bits))
        case RowTag.real: self = .real(Double(bitPattern: cell.bits))
        case RowTag.text: self = .text(String(decoding: cell.bytes, as: UTF8.self))
        case RowTag.blob: self = .blob(cell.bytes)
        default: self = .null
        }
    }
}
