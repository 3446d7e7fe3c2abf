import CoreDataStore

/// A piece of SQL with the values of its parameters.
package struct SQLText: Sendable, Equatable {
    package private(set) var sql: String
    package private(set) var parameters: [SQLParameter]

    package init(_ sql: String, _ parameters: [SQLParameter] = []) {
        self.sql = sql
        self.parameters = parameters
    }

    static func + (left: SQLText, right: SQLText) -> SQLText {
        SQLText(left.sql + right.sql, left.parameters + right.parameters)
    }

    static func + (left: SQLText, right: String) -> SQLText { SQLText(left.sql + right, left.parameters) }

    static func + (left: String, right: SQLText) -> SQLText { SQLText(left + right.sql, right.parameters) }

    /// A value as a parameter.
    static func bound(_ value: SQLParameter) -> SQLText { SQLText("?", [value]) }

    /// The text with the placeholders `$1`, `$2` and so on in place of the question marks outside of quotes.
    package var numbered: String {
        var (text, number, quote) = ("", 0, nil as Character?)
        for character in sql {
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "?" {
                number += 1
                text += "$\(number)"
                continue
            }
            text.append(character)
        }
        return text
    }
}

extension [SQLText] {
    func joined(_ separator: String) -> SQLText {
        SQLText(map(\.sql).joined(separator: separator), flatMap(\.parameters))
    }
}
