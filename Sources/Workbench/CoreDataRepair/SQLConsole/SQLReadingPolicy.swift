import CoreData
import SQLiteKit

/// Decides for SQLite's authorizer what statements of the console may do: only read, with listed functions and pragmas.
///
/// SQLite calls the authorizer for each action of a statement when it compiles the statement, including views and
/// subqueries, and for those that virtual tables compile while it runs. Actions that are not listed here are refused.
final class SQLReadingPolicy {
    /// The first action that was refused, as the end of the sentence "the statement would …"; nil if none was refused.
    private(set) var refusal: String?
    /// The number of column reads and function calls so far, an estimate of the values that are in memory at once.
    private(set) var mentions = 0
    /// Whether a statement calls one of `slowFunctions` or a function of this library, which cannot be interrupted.
    private(set) var callsSlowFunction = false

    /// Whether a statement is a pragma that returns a setting: SQLite does not report all of these as read-only.
    private(set) var asksSetting = false

    private let functions: Set<String>

    init() {
        functions = SQLReadingNames.functions.union(RawStore.functionNames.map { $0.lowercased() })
    }

    /// Whether a statement may perform an action; notes the action for the properties above.
    func allows(_ access: StatementAccess) -> Bool {
        let names = (first: access.first ?? "", second: access.second ?? "")
        switch access.action {
        case .select, .recursive: return true
        case .read:
            mentions += 1
            return true
        case .function:
            mentions += 1
            let name = names.second.lowercased()
            if SQLReadingNames.slowFunctions.contains(name) || name.hasPrefix("coredata_") { callsSlowFunction = true }
            return functions.contains(name) ? true : refuse("call the function \(names.second)")
        case .pragma:
            let name = names.first.lowercased()
            if SQLReadingNames.questions.contains(name) { return true }
            guard SQLReadingNames.settings.contains(name) else { return refuse("run the pragma \(names.first)") }
            guard access.second == nil else { return refuse("set the pragma \(names.first)") }
            asksSetting = true
            return true
        // SQLite declares the tables of its built-in modules, such as those of JSON, in this way. SQLite itself refuses
        // statements that really write to the schema, and they do not count as read-only.
        case .update where names.first == "sqlite_master": return true
        case .insert: return refuse("insert into \(names.first)")
        case .update: return refuse("update \(names.first)")
        case .delete: return refuse("delete from \(names.first)")
        case .transaction, .savepoint: return refuse("begin or end a transaction")
        case .attach, .detach: return refuse("attach or detach a file")
        default: return refuse("change the schema or the file")
        }
    }

    private func refuse(_ what: String) -> Bool {
        refusal = refusal ?? what
        return false
    }
}
