import CoreDataStore

/// A value that is bound to a statement, or an argument or result of an SQL function: one of SQLite's five storage
/// classes.
package enum SQLParameter: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
}
