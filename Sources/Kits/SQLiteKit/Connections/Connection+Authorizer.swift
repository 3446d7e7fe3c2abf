import CSQLite

/// One action of a statement, as SQLite reports it while the statement is compiled.
///
/// The meaning of the names depends on the action: https://www.sqlite.org/c3ref/c_alter_table.html
package struct StatementAccess: Sendable, Equatable {
    /// A code of `sqlite3_set_authorizer`.
    package struct Action: RawRepresentable, Hashable, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) { self.rawValue = rawValue }

        package static let delete = Action(rawValue: SQLITE_DELETE)
        package static let insert = Action(rawValue: SQLITE_INSERT)
        package static let update = Action(rawValue: SQLITE_UPDATE)
        package static let pragma = Action(rawValue: SQLITE_PRAGMA)
        package static let read = Action(rawValue: SQLITE_READ)
        package static let select = Action(rawValue: SQLITE_SELECT)
        package static let transaction = Action(rawValue: SQLITE_TRANSACTION)
        package static let savepoint = Action(rawValue: SQLITE_SAVEPOINT)
        package static let attach = Action(rawValue: SQLITE_ATTACH)
        package static let detach = Action(rawValue: SQLITE_DETACH)
        package static let function = Action(rawValue: SQLITE_FUNCTION)
        package static let recursive = Action(rawValue: SQLITE_RECURSIVE)
    }

    package let action: Action
    package let first: String?
    package let second: String?
}

/// Retains the closure that decides which actions statements may perform.
final class StatementAuthorizer {
    let allows: (StatementAccess) -> Bool

    init(_ allows: @escaping (StatementAccess) -> Bool) { self.allows = allows }
}

extension Connection {
    /// Calls `allows` for each action of statements compiled from now on; if it returns false, compiling the statement
    /// fails with `notAuthorized`.
    ///
    /// This includes statements that virtual table modules compile. Nil allows all actions.
    package func authorize(_ allows: ((StatementAccess) -> Bool)?) {
        guard let handle else { return }
        authorizer = allows.map(StatementAuthorizer.init)
        guard let authorizer else {
            sqlite3_set_authorizer(handle, nil, nil)
            return
        }
        let context = Unmanaged.passUnretained(authorizer).toOpaque()
        sqlite3_set_authorizer(
            handle, { context, action, first, second, _, _ in ask(context, action, first, second) }, context)
    }
}

private func ask(
    _ context: UnsafeMutableRawPointer?, _ action: Int32, _ first: UnsafePointer<CChar>?,
    _ second: UnsafePointer<CChar>?
) -> Int32 {
    guard let context else { return SQLITE_DENY }
    let access = StatementAccess(
        action: .init(rawValue: action), first: first.map { String(cString: $0) },
        second: second.map { String(cString: $0) })
    let authorizer = Unmanaged<StatementAuthorizer>.fromOpaque(context).takeUnretainedValue()
    return authorizer.allows(access) ? SQLITE_OK : SQLITE_DENY
}
