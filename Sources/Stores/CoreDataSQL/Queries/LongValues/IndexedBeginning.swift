import CoreDataStore

/// What a server's index stores of a text, or of data of any length: its beginning.
///
/// PostgreSQL accepts at most 2,704 bytes in an index row. Beginnings are ordered like their values. If one of two
/// values is shorter than the maximal length of a beginning, the beginnings compare as the values do.
///
/// PostgreSQL matches an index by its expression: a different length needs different names of the indexes.
package enum IndexedBeginning {
    /// The maximum number of scalars of a text's beginning; each takes up to four bytes.
    package static let scalars = 200
    /// The maximum number of bytes of data.
    package static let bytes = 800
    /// The number of beginnings that fit in one index row, beside numbers.
    package static let mostInOneIndex = 3

    /// Returns the SQL expression that an index stores for a column.
    package static func sql(of column: String, _ type: ColumnType) -> String {
        type == .blob ? "pg_catalog.substr(\(column), 1, \(bytes))" : "pg_catalog.left(\(column), \(scalars))"
    }

    /// Returns the same expression for use in a query.
    static func expression(of column: SQLColumn, _ type: ColumnType) -> SQLExpression {
        type == .blob
            ? .call("pg_catalog.substr", [.column(column), .number(1), .number(bytes)])
            : .call("pg_catalog.left", [.column(column), .number(scalars)])
    }

    /// The beginning of a constant, and whether the constant is shorter than the maximal length; nil if it has no
    /// beginning.
    static func beginning(of parameter: SQLParameter) -> (parameter: SQLParameter, isShort: Bool)? {
        switch parameter {
        case .text(let text):
            guard text.utf8.count >= scalars else { return (parameter, true) }
            let start = text.unicodeScalars.prefix(scalars)
            return start.count < scalars ? (parameter, true) : (.text(String(start)), false)
        case .blob(let data): return data.count < bytes ? (parameter, true) : (.blob(data.prefix(bytes)), false)
        case .null, .integer, .real: return nil
        }
    }

    /// Returns the SQL of a digest that distinguishes values of several columns with the same beginnings; empty if all
    /// are short.
    ///
    /// An index expression must be immutable, and converting text to bytes by an encoding's name is not; so the text is
    /// decoded as escaped bytes.
    package static func digest(of columns: [(sql: String, type: ColumnType)]) -> String {
        func digest(_ bytes: String) -> String { "pg_catalog.sha256(\(bytes))" }
        let parts = columns.map { column in
            column.type == .blob
                ? column.sql
                : #"pg_catalog.decode(pg_catalog.replace(\#(column.sql), E'\\', E'\\\\'), 'escape')"#
        }
        let all = parts.count == 1 ? digest(parts[0]) : digest(parts.map(digest).joined(separator: " || "))
        guard columns.count <= mostInOneIndex else { return all }
        let isLong = columns.map {
            "pg_catalog.octet_length(\($0.sql)) > \($0.type == .blob ? bytes : scalars)"
        }
        return "CASE WHEN \(isLong.joined(separator: " OR ")) THEN \(all) ELSE ''::bytea END"
    }
}
