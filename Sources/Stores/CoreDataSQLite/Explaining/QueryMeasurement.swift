import CoreDataSQL
import SQLiteKit

/// Executes a query on a connection, once unchanged and once with counting functions, to measure its cost.
struct QueryMeasurement {
    let query: CompiledQuery
    let connection: Connection

    private var values: [Value] { query.parameters.map(QueryFunctions.value) }

    /// Plans and executes the query; nothing is written.
    func explanation() throws -> QueryExplanation {
        let plan = try connection.plan(of: query.sql, binding: values)
        let (rows, cost) = try execute(query.sql)
        return explanation(plan, visits: try visits(plan), scanned: cost.scanSteps, returned: rows)
    }

    /// Plans the query without executing it.
    func planned() throws -> QueryExplanation {
        explanation(try connection.plan(of: query.sql, binding: values), visits: nil, scanned: 0, returned: 0)
    }

    private func explanation(
        _ plan: QueryPlan, visits: [QueryExplanation.Visit]?, scanned: Int, returned: Int
    ) -> QueryExplanation {
        QueryExplanation(
            sql: query.sql, plan: QueryExplanation.Step.tree(of: plan), planLines: plan.lines, visits: visits,
            scanSteps: scanned, rowsReturned: returned, isSorted: plan.sorts, makesIndex: plan.makesIndex)
    }

    private func execute(_ sql: String) throws -> (rows: Int, cost: StatementCost) {
        let statement = try connection.prepare(sql)
        for (index, parameter) in query.parameters.enumerated() {
            try statement.bind(QueryFunctions.value(parameter), at: index + 1)
        }
        _ = statement.takeCost()
        var rows = 0
        while try statement.step() { rows += 1 }
        return (rows, statement.takeCost())
    }

    /// Returns the visited rows of each table; nil if the counting query has another plan.
    private func visits(_ plan: QueryPlan) throws -> [QueryExplanation.Visit]? {
        let counting = VisitCounting(query.sql)
        let counts = VisitCounts(counting.sources.count)
        try connection.registerFunction(VisitCounting.functionName, argumentCount: 2, flags: [.directOnly]) {
            counts.add($0)
            return .integer(1)
        }
        defer { try? connection.removeFunction(VisitCounting.functionName, argumentCount: 2) }
        // The plans are compared as text: the ids of their steps are addresses in SQLite's bytecode, which differ.
        guard try connection.plan(of: counting.sql, binding: values).lines == plan.lines else { return nil }
        _ = try execute(counting.sql)
        return zip(counting.sources, counts.rows).map { .init(table: $0.table, alias: $0.alias, rows: $1) }
    }
}

private final class VisitCounts {
    private(set) var rows: [Int]

    init(_ count: Int) { rows = Array(repeating: 0, count: count) }

    /// Counts a visited row; the identifier is NULL if an outer join found no row.
    func add(_ arguments: FunctionArguments) {
        let place = Int(clamping: arguments.int64(0))
        guard rows.indices.contains(place), arguments.type(1) != .null else { return }
        rows[place] += 1
    }
}
