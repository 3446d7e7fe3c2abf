import CoreData

/// The rows that a statement of the console gave.
package struct SQLAnswer: Sendable {
    package struct Column: Sendable {
        package let name: String
        /// The table and the column that it is read from, where it is not calculated.
        package let table: String?
        package let column: String?
        /// What that column is in the model.
        package let meaning: SQLColumnMeaning?
    }

    /// Why there may be more rows than the answer has.
    package enum Stop: String, Sendable {
        case rows
        case size
        case time
    }

    package let sql: String
    /// The parameters with the texts that gave them values.
    package let parameters: [(name: String, text: String)]
    package let columns: [Column]
    package internal(set) var rows: [[SQLCell]] = []
    package internal(set) var stop: Stop?

    /// Whether the rows are all that there are.
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

    /// The rows in lines of RFC 4180, under the names of the columns; NULL is an empty field.
    package var csv: String {
        CSVLine.text(columns.map(\.name)) + rows.map { CSVLine.text($0.map(\.text)) }.joined()
    }

    /// An object a row.
    package var objects: [JSONValue] {
        let keys = Self.unique(columns.map(\.name))
        return rows.map { .object(zip(keys, $0).map { ($0, $1.json) }) }
    }

    /// The names with numbers behind those that stood before.
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
