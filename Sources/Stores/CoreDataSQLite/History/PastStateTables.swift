import CoreDataSQL
import SQLiteKit

/// Lets a reader see rows as they were: temporary views that stand in for the tables that have changed.
///
/// A name without a schema is looked for among temporary objects first, so that every statement of the reader reads the
/// views. A view gives the table's rows without those that the left out transactions touched, and these as they were, from
/// a temporary table that is made of the kept old values. What it costs follows the changes, not the rows.
struct PastStateTables {
    /// One table that has changed, and the statements that give its rows their old values.
    private final class Overlay {
        let place: OldValuePlace
        let number: Int
        /// Notes that a row is to be read as it was, unless that is known.
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

        /// The statement that gives a column its old value; nil for a column that the table does not have.
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

    /// Makes the views of a state; the connection shows it until it is closed.
    func make(leavingOut transactions: ClosedRange<Int64>) throws {
        var overlays: [String: Overlay] = [:]
        // From the newest to the oldest, so that the oldest value of a column stays; what is said of the whole row comes first.
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
    /// The condition that finds the row with the keys that are bound.
    fileprivate var condition: String {
        keys.map { "\(SQLIdentifier.quoted($0)) = ?" }.joined(separator: " AND ")
    }
}
