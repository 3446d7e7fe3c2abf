import CoreData

/// The rows that a statement of the SQL console returned, with the columns' meanings in the model.
package struct SQLAnswer: Sendable {
    package struct Column: Sendable {
        package let name: String
        /// The table and the column of the store from which the values are read; nil for a calculated column.
        package let table: String?
        package let column: String?
        /// What the store's column is in the model; nil if that is unknown.
        package let meaning: SQLColumnMeaning?
    }

    /// The limit that ended reading, so that the statement may have further rows: row count, bytes or time.
    package enum Stop: String, Sendable {
        case rows
        case size
        case time
    }

    package let sql: String
    /// The names of the parameters with the given texts of their values.
    package let parameters: [(name: String, text: String)]
    package let columns: [Column]
    package internal(set) var rows: [[SQLCell]] = []
    package internal(set) var stop: Stop?

    /// Whether the answer has all rows of the statement.
    package var isComplete: Bool { stop == nil }

    package var json: JSONValue {
        .object([
            ("sql", .string(sql)),
            ("parameters", .object(parameters.map { ($0.name, .string($0.text)) })),
            ("columns", .array(columns.map(\.json))),
            ("rows", .array(rows.map { .array($0.map(\.json)) })),
            ("complete", .bool(isComplete)), ("stopped", .text(stop?.rawValue)),
        ])
    }

    /// The rows as CSV (RFC 4180) with a header line of the columns' names; NULL is an empty field.
    package var csv: String {
        CSVLine.text(columns.map(\.name)) + rows.map { CSVLine.text($0.map(\.text)) }.joined()
    }

    /// One JSON object for each row, with the columns' names as keys; a repeated name gets a suffix such as `_2`.
    package var objects: [JSONValue] {
        let keys = Self.unique(columns.map(\.name))
        return rows.map { .object(zip(keys, $0).map { ($0, $1.json) }) }
    }

    /// The names, with a suffix such as `_2` for each name that occurred before.
    private static func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.map { name in
            var (key, number) = (name, 2)
            while !seen.insert(key).inserted {
                key = "\(name)_\(number)"
                number += 1
            }
            return key
        }
    }
}

extension SQLAnswer.Column {
    fileprivate var json: JSONValue {
        .object([
            ("name", .string(name)), ("table", .text(table)), ("column", .text(column)),
            ("kind", .text(meaning?.kind.rawValue)), ("entity", .text(meaning?.entity)),
            ("property", .text(meaning?.property)), ("isDate", .bool(meaning?.isDate ?? false)),
        ])
    }
}
