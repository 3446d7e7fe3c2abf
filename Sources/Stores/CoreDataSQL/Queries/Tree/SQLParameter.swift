import CoreDataStore

/// A value that is bound to a statement, or that a function of SQL takes and gives: one of SQLite's five kinds.
package enum SQLParameter: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
}
