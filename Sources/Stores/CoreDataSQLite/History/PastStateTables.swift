import CoreDataSQL
import SQLiteKit

/// Makes a reader see a past state: temporary views replace the tables that have changed since.
///
/// SQLite resolves a name without a schema to a temporary object first, so all statements of the reader read the views.
/// A view returns the table's rows without those that the excluded transactions changed, plus the former versions of
/// these rows, from a temporary table made from the stored old values. The cost depends on the number of changes, not
/// of rows.
struct PastStateTables {
    /// One changed table, and the statements that restore the old values of its rows.
    private final class Overlay {
        let place: OldValuePlace
        let number: Int
        /// Marks a row as changed, unless it is marked already.
        let marking: Statement
        let copying: Statement
        let blanking: Statement
        let removing: Statement
        private let connection: Connection
        private var settings: [String: Statement] = [:]

        var touched: String { "OpenCoreDataTouched\(number)" }
        var former: String { "OpenCoreDataFormer\(number)" }

        init(_ place: OldValuePlace, number: Int, connection: Connection) throws {
            self.place = place
            self.number = number
            self.connection = connection
            let (touched, former) = ("temp.OpenCoreDataTouched\(number)", "temp.OpenCoreDataFormer\(number)")
            let table = "main.\(SQLIdentifier.quoted(place.table))"
            let keys = place.keys.map(SQLIdentifier.quoted)
            try connection.execute(
                "CREATE TABLE \(touched) (ROWKEY INTEGER, MEMBERKEY INTEGER, PRIMARY KEY (ROWKEY, MEMBERKEY)) WITHOUT ROWID"
            )
            try connection.execute("CREATE TABLE \(former) AS SELECT * FROM \(table) WHERE 0")
            try connection.execute(
                "CREATE UNIQUE INDEX temp.OpenCoreDataFormerKeys\(number) ON OpenCoreDataFormer\(number) "
                    + "(\(keys.joined(separator: ", ")))")
            marking = try connection.prepare("INSERT OR IGNORE INTO \(touched) VALUES (?, ?)")
            let condition = place.condition
            copying = try connection.prepare("INSERT INTO \(former) SELECT * FROM \(table) WHERE \(condition)")
            removing = try connection.prepare("DELETE FROM \(former) WHERE \(condition)")
            blanking = try connection.prepare(
                "INSERT OR REPLACE INTO \(former) (\(keys.joined(separator: ", "))) "
                    + "VALUES (\(keys.map { _ in "?" }.joined(separator: ", ")))")
        }

        /// Returns the statement that sets a column to its old value; nil for a column that the table does not have.
        func setting(_ column: String) throws -> Statement? {
            if let known = settings[column] { return known }
            guard place.columns.contains(column) else { return nil }
            let made = try connection.prepare(
                "UPDATE temp.\(former) SET \(SQLIdentifier.quoted(column)) = ? WHERE \(place.condition)")
            settings[column] = made
            return made
        }
    }

    private let connection: Connection
    private let places: [String: OldValuePlace]

    init(_ connection: Connection, _ schema: StoreSchema) throws {
        self.connection = connection
        let all = try OldValuePlace.all(of: schema, connection)
        places = Dictionary(all.map { ($0.table, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Creates the views of a state, which the connection sees until it is closed.
    func make(leavingOut transactions: ClosedRange<Int64>) throws {
        var overlays: [String: Overlay] = [:]
        // Proceeds from the newest transaction to the oldest, so that the oldest value of a column is set last. The
        // entry for the complete row comes before those of its columns.
        let kept = try connection.prepare(
            "SELECT TABLENAME, ROWKEY, MEMBERKEY, COLUMNNAME, VALUE FROM main.\(OldValueTables.values) "
                + "WHERE TRANSACTIONID BETWEEN ? AND ? "
                + "ORDER BY TRANSACTIONID DESC, TABLENAME, ROWKEY, MEMBERKEY, COLUMNNAME")
        try kept.bind([.integer(transactions.lowerBound), .integer(transactions.upperBound)])
        while try kept.step() {
            guard let name = kept.text(0), let place = places[name] else { continue }
            let overlay = try overlays[name] ?? Overlay(place, number: overlays.count, connection: connection)
            overlays[name] = overlay
            try take(kept, into: overlay)
        }
        for overlay in overlays.values { try show(overlay) }
    }

    private func take(_ record: Statement, into overlay: Overlay) throws {
        let keys = [record.int64(1), record.int64(2)]
        try overlay.marking.bind(keys.map(Value.integer))
        try overlay.marking.run()
        let key = keys.prefix(overlay.place.keys.count).map(Value.integer)
        if connection.changes > 0 { try run(overlay.copying, key) }
        let column = record.text(3) ?? ""
        if column == OldValueTables.wholeRow {
            let wasDeleted = record.int64(4) == OldValueTables.Presence.deleted.rawValue
            try run(wasDeleted ? overlay.blanking : overlay.removing, key)
        } else if let setting = try overlay.setting(column) {
            try run(setting, [record.value(4)] + key)
        }
    }

    private func run(_ statement: Statement, _ values: [Value]) throws {
        try statement.bind(values)
        try statement.run()
    }

    private func show(_ overlay: Overlay) throws {
        let place = overlay.place
        let columns = (place.keys + place.columns).map(SQLIdentifier.quoted).joined(separator: ", ")
        let keys = place.keys.map { "present.\(SQLIdentifier.quoted($0))" }
        let isTouched = zip(["ROWKEY", "MEMBERKEY"], keys).map { "touched.\($0) = \($1)" }.joined(separator: " AND ")
        try connection.execute(
            "CREATE TEMP VIEW \(SQLIdentifier.quoted(place.table)) AS SELECT \(columns) "
                + "FROM main.\(SQLIdentifier.quoted(place.table)) AS present "
                + "WHERE NOT EXISTS (SELECT 1 FROM temp.\(overlay.touched) AS touched WHERE \(isTouched)) "
                + "UNION ALL SELECT \(columns) FROM temp.\(overlay.former)")
    }
}

extension OldValuePlace {
    /// The condition that selects the row with the bound keys.
    fileprivate var condition: String {
        keys.map { "\(SQLIdentifier.quoted($0)) = ?" }.joined(separator: " AND ")
    }
}
