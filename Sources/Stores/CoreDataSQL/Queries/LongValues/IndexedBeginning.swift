import CoreDataStore

/// What a server's index stores of a text, or of data of any length: its beginning.
///
/// PostgreSQL accepts at most 2,704 bytes in an index row. Beginnings are ordered like their values. If one of two
/// values is shorter than the maximal length of a beginning, the beginnings compare as the values do.
///
/// PostgreSQL matches an index by its expression: a different length needs different names of the indexes.
package enum IndexedBeginning {
    /// The most scalars of a text; each takes up to four bytes.
    package static let scalars = 200
    /// The most bytes of data.
    package static let bytes = 800
    /// As many beginnings fit in a row of an index, with numbers beside them.
    package static let mostInOneIndex = 3

    /// What an index has of a column, as SQL.
    package static func sql(of column: String, _ type: ColumnType) -> String {
        type == .blob ? "pg_catalog.substr(\(column), 1, \(bytes))" : "pg_catalog.left(\(column), \(scalars))"
    }

    /// The same as a value in a query.
    static func expression(of column: SQLColumn, _ type: ColumnType) -> SQLExpression {
        type == .blob
            ? .call("pg_catalog.substr", [.column(column), .number(1), .number(bytes)])
            : .call("pg_catalog.left", [.column(column), .number(scalars)])
    }

    /// The beginning of a constant, and whether the constant is shorter than the maximal length; nil if it has no beginning.
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

    /// Distinguishes values of several columns whose beginnings are the same, as SQL: nothing if all are short.
    ///
    /// What makes bytes of a text by the encoding's name is not immutable, as an index needs it: so it is read as escaped bytes.
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
