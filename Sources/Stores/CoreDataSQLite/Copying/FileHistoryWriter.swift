import CoreDataSQL
import SQLiteKit

/// Writes transactions of another store's history into a file, in the history tables of Apple's framework.
struct FileHistoryWriter {
    private let connection: Connection
    private let keys = HistoryKeys()
    /// The number of tombstone columns in the table of changes.
    private var tombstones = -1

    /// Creates the tables if they do not exist; called within an exclusive transaction, so nothing else writes.
    init(_ connection: Connection) throws {
        self.connection = connection
        keys.begin(connection)
        try requireTombstones(0)
    }

    private mutating func requireTombstones(_ count: Int) throws {
        guard count > tombstones else { return }
        do {
            for statement in try HistoryTables.missing(connection, tombstones: count) {
                try connection.execute(statement)
            }
        } catch let unusable as HistoryTables.Unusable {
            throw SQLiteError(code: .misuse, attempt: "copy the history", message: unusable.reason)
        }
        tombstones = count
    }

    func write(_ transaction: HistoryTransaction) throws {
        let strings = try [transaction.author, transaction.bundleID, transaction.contextName, transaction.processID]
            .map { try $0.map { Value.integer(try keys.string($0, connection)) } ?? .null }
        try connection.execute(
            "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, ZTIMESTAMP) "
                + "VALUES (?, \(HistoryTables.Entity.transaction.rawValue), ?, ?, ?, ?, ?)",
            [.integer(transaction.number)] + strings + [.real(transaction.time)])
    }

    mutating func write(_ change: CopiedChange) throws {
        try requireTombstones(change.tombstone.count)
        let names = change.tombstone.indices.map { ", ZTOMBSTONE\($0)" }.joined()
        let places = String(repeating: ", ?", count: change.tombstone.count)
        try connection.execute(
            "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZTRANSACTIONID, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS\(names)) "
                + "VALUES (?, \(HistoryTables.Entity.change.rawValue), ?, ?, ?, ?, ?\(places))",
            [
                .integer(try keys.take(1, of: .change, connection)), .integer(change.transaction),
                .integer(change.kind), .integer(change.entity), .integer(change.key),
                change.properties.map(Value.blob) ?? .null,
            ] + change.tombstone.map(Value.init))
    }

    /// Records the keys that were allocated for changes and strings.
    func finish() throws { try keys.record(connection) }

    /// Records the greatest transaction number as allocated.
    static func finish(_ extent: HistoryExtent, _ connection: Connection) throws {
        _ = try FileHistoryWriter(connection)
        try connection.execute(
            "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?",
            [.integer(extent.newest), .integer(HistoryTables.Entity.transaction.rawValue)])
    }
}
