import CSQLite

/// The watched statements of one connection; has the connection's confinement.
///
/// A class, since reading a plan steps a statement, whose rows SQLite reports here during a call of `begins`.
final class WatchedStatements {
    private static let mostKnown = 1_000

    private var watch: StatementWatch?
    private var number: Int32 = 0
    private var known: [OpaquePointer: WatchedStatement] = [:]
    /// The statement of the last call, which is usually also that of the next call.
    private var last: WatchedStatement?
    private var underWay = 0

    /// Whether no execution is running.
    var isIdle: Bool { underWay == 0 }

    func begins(_ handle: OpaquePointer, sql: String) {
        let present = csqlite_statement_watch()
        if present != number { (watch, number) = (StatementWatch.current, present) }
        guard let watch, let statement = statement(handle, sql: sql, includingPlan: watch.includesPlans) else { return }
        // Needed for a statement that is known from a watch without plans.
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

    /// Compares the text too, since SQLite may reuse the address of a finalized statement for another one.
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
