import CoreDataSQL
import SQLiteKit

/// Collects the old values of the rows that the current transaction changes, and writes them at its end.
///
/// The first report of a row counts, since it has the values from before the transaction. Used by one thread at a time,
/// like its store.
final class OldValueRecorder {
    private struct RowKey: Hashable {
        let place: Int
        let row: Int64
        let member: Int64
    }

    /// The state of a row before the transaction.
    private enum OldRow {
        /// The row did not exist.
        case absent
        /// The row existed and still exists; some columns had these other values.
        case changed([Int: Value])
        /// The row existed with these values and was deleted; another row may have reused its key.
        case deleted([Int: Value])
    }

    private let places: [OldValuePlace]
    private var rows: [RowKey: OldRow] = [:]

    init(_ places: [OldValuePlace]) { self.places = places }

    /// Registers functions and triggers with the writing connection, so that it reports its changes.
    func attach(to connection: Connection) throws {
        let reports: [(String, Int?, (OldValueRecorder, FunctionArguments) -> Void)] = [
            (OldValueTriggers.inserted, 3, { $0.noteInsertion($1) }),
            (OldValueTriggers.changed, nil, { $0.noteChange($1) }),
            (OldValueTriggers.deleted, nil, { $0.noteDeletion($1) }),
        ]
        for (name, count, note) in reports {
            try connection.registerFunction(name, argumentCount: count, flags: [.innocuous]) { [unowned self] in
                note(self, $0)
                return .null
            }
        }
        for statement in OldValueTriggers(places: places).statements { try connection.execute(statement) }
    }

    // MARK: Reports of triggers

    private func key(_ arguments: FunctionArguments) -> RowKey? {
        guard let place = Int(exactly: arguments.int64(0)), places.indices.contains(place) else { return nil }
        return RowKey(place: place, row: arguments.int64(1), member: arguments.int64(2))
    }

    private func noteInsertion(_ arguments: FunctionArguments) {
        guard let key = key(arguments) else { return }
        if rows[key] == nil { rows[key] = .absent }
    }

    private func noteChange(_ arguments: FunctionArguments) {
        let (start, mask) = (Int(arguments.int64(3)), arguments.int64(4))
        guard mask != 0, let key = key(arguments) else { return }
        var values: [Int: Value]
        switch rows[key] {
        case nil: values = [:]
        case .changed(let known): values = known
        case .absent, .deleted: return
        }
        for bit in 0..<HistoryTriggers.maskWidth where mask & (1 << Int64(bit)) != 0 && values[start + bit] == nil {
            values[start + bit] = arguments[5 + bit]
        }
        rows[key] = .changed(values)
    }

    /// Called once for each group of columns.
    private func noteDeletion(_ arguments: FunctionArguments) {
        guard let key = key(arguments) else { return }
        let start = Int(arguments.int64(3))
        var values: [Int: Value]
        switch rows[key] {
        case nil: values = [:]
        case .changed(let known): values = known
        case .deleted(let known) where start > 0: values = known
        case .absent, .deleted: return
        }
        let count = min(HistoryTriggers.maskWidth, places[key.place].columns.count - start)
        for column in start..<(start + max(0, count)) where values[column] == nil {
            values[column] = arguments[4 + column - start]
        }
        rows[key] = .deleted(values)
    }

    // MARK: Writing

    /// Writes the old values of the current transaction, under the number of the history's transaction.
    func record(_ transaction: Int64, _ connection: Connection) throws {
        try connection.execute("INSERT INTO \(OldValueTables.transactions) (ID) VALUES (?)", [.integer(transaction)])
        let statement = try connection.prepare(
            "INSERT OR REPLACE INTO \(OldValueTables.values) "
                + "(TRANSACTIONID, TABLENAME, ROWKEY, MEMBERKEY, COLUMNNAME, VALUE) VALUES (?, ?, ?, ?, ?, ?)"
        )
        for (key, row) in rows {
            let place = places[key.place]
            try statement.bind(transaction, at: 1)
            try statement.bind(place.table, at: 2)
            try statement.bind(key.row, at: 3)
            try statement.bind(key.member, at: 4)
            func write(_ column: String, _ value: Value) throws {
                try statement.bind(column, at: 5)
                try statement.bind(value, at: 6)
                try statement.run()
            }
            switch row {
            case .absent:
                try write(OldValueTables.wholeRow, .integer(OldValueTables.Presence.absent.rawValue))
            case .changed(let values):
                for (column, value) in values { try write(place.columns[column], value) }
            case .deleted(let values):
                try write(OldValueTables.wholeRow, .integer(OldValueTables.Presence.deleted.rawValue))
                for (column, value) in values where value != .null { try write(place.columns[column], value) }
            }
        }
    }

    /// Discards the collected values at the end of the transaction.
    func finish() {
        guard !rows.isEmpty else { return }
        rows = [:]
    }
}
