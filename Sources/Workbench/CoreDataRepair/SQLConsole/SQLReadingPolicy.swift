import CoreData
import SQLiteKit

/// What statements of the console may do: read, by functions and pragmas that are known to do nothing else.
///
/// SQLite asks for everything that a statement would do while it compiles it, in views and subqueries too, and for what its
/// modules compile while a statement runs. What is not listed here is refused.
final class SQLReadingPolicy {
    /// What was refused last, as the end of a sentence.
    private(set) var refusal: String?
    /// How many columns are read and functions called: so many values may be in memory at once.
    private(set) var mentions = 0
    /// Whether a function is called whose time is a product of two lengths, and which cannot be interrupted.
    private(set) var callsSlowFunction = false

    /// Whether a pragma returns a setting: SQLite reports some of these as statements that write.
    private(set) var asksSetting = false

    private let functions: Set<String>

    init() {
        functions = SQLReadingNames.functions.union(RawStore.functionNames.map { $0.lowercased() })
    }

    /// Whether a statement may do something.
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
