import CoreDataSQL

/// The temporary triggers of the writing connection, which call a function with each row of the index that a statement
/// changes.
struct SearchTriggers {
    private let layout: SearchLayout
    private let function: String

    init(_ layout: SearchLayout, calling function: String) {
        self.layout = layout
        self.function = function
    }

    var statements: [String] {
        let columns = layout.columns.enumerated().flatMap { number, column in
            triggers(number, on: column.table, over: [column.column])
        }
        let pairs = layout.pairs.enumerated().flatMap { number, pair in
            triggers(layout.columns.count + number, on: pair.table, over: [pair.x, pair.y])
        }
        return columns + pairs
    }

    private func triggers(_ number: Int, on table: String, over columns: [String]) -> [String] {
        let names = columns.map(SQLIdentifier.quoted)
        func isThere(_ row: String) -> String { names.map { "\(row).\($0) IS NOT NULL" }.joined(separator: " AND ") }
        func trigger(_ event: String, _ condition: String, _ rows: [String]) -> String {
            let calls = rows.map { "SELECT \(function)(\(number), \($0).Z_PK); " }.joined()
            return "CREATE TEMP TRIGGER CoreDataSearch\(event.prefix(6))\(number) AFTER \(event) ON main."
                + "\(SQLIdentifier.quoted(table)) WHEN \(condition) BEGIN \(calls)END"
        }
        let changed = names.map { "OLD.\($0) IS NOT NEW.\($0)" } + ["OLD.Z_PK IS NOT NEW.Z_PK"]
        return [
            trigger("INSERT", isThere("NEW"), ["NEW"]),
            trigger("UPDATE", changed.joined(separator: " OR "), ["OLD", "NEW"]),
            trigger("DELETE", isThere("OLD"), ["OLD"]),
        ]
    }
}
