import CSQLite

/// The statements of one connection that are executed while all statements are watched; confined like the connection.
///
/// A class, since asking for a plan finds rows, which are counted in the middle of what is done here.
final class WatchedStatements {
    private static let mostKnown = 1_000

    private var watch: StatementWatch?
    private var number: Int32 = 0
    private var known: [OpaquePointer: WatchedStatement] = [:]
    /// The one that was begun, found a row or was ended last: it is most often the next one, too.
    private var last: WatchedStatement?
    private var underWay = 0

    /// Whether no execution is under way.
    var isIdle: Bool { underWay == 0 }

    func begins(_ handle: OpaquePointer, sql: String) {
        let present = csqlite_statement_watch()
        if present != number { (watch, number) = (StatementWatch.current, present) }
        guard let watch, let statement = statement(handle, sql: sql, includingPlan: watch.includesPlans) else { return }
        // One that is known from a watch without plans.
        if watch.includesPlans { statement.findPlan() }
        if !statement.isUnderWay { underWay += 1 }
        statement.begin()
    }

    @inline(__always) func countRow(of handle: OpaquePointer) {
        if let last, last.handle == handle {
            last.rows += 1
        } else if let statement = known[handle] {
            statement.rows += 1
            last = statement
        }
    }

    func ends(_ handle: OpaquePointer, code: Int32?) {
        guard underWay > 0, let statement = last?.handle == handle ? last : known[handle], statement.isUnderWay,
            let watch
        else { return }
        underWay -= 1
        watch.report(statement.end(for: watch, code: code))
    }

    /// SQLite may give the place of a statement that is gone to another one.
    private func statement(_ handle: OpaquePointer, sql: String, includingPlan: Bool) -> WatchedStatement? {
        if let last, last.handle == handle, last.sql == sql { return last }
        if let statement = known[handle], statement.sql == sql {
            last = statement
            return statement
        }
        if known[handle]?.isUnderWay == true { underWay -= 1 }
        known[handle] = nil
        if known.count >= Self.mostKnown { known = known.filter { $0.value.isUnderWay } }
        last = WatchedStatement(handle, sql: sql, includingPlan: includingPlan)
        known[handle] = last
        return last
    }
}
