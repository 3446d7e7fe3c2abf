import CSQLite

/// SQLite's storage classes.
@usableFromInline
package enum ValueType: Sendable {
    case integer
    case real
    case text
    case blob
    case null

    /// The storage class of a code of `sqlite3_column_type`. Listed here, so that it is inlined into other modules.
    @inlinable
    package init(code: Int32) {
        switch code {
        case SQLITE_INTEGER: self = .integer
        case SQLITE_FLOAT: self = .real
        case SQLITE_TEXT: self = .text
        case SQLITE_BLOB: self = .blob
        default: self = .null
        }
    }
}
