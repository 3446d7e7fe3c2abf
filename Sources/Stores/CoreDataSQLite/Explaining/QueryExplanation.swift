import CoreDataSQL
import SQLiteKit

/// How a store carries out a fetch: its SQL, SQLite's query plan, and the measured cost of executing it.
package struct QueryExplanation: Sendable, Equatable {
    /// A step of SQLite's query plan, with its sub-steps.
    package struct Step: Sendable, Equatable {
        package let detail: String
        package let parts: [Step]
    }

    /// A table of the query, and how many of its rows were visited.
    package struct Visit: Sendable, Equatable {
        package let table: String
        /// The table's alias in the SQL: a query may use one table several times.
        package let alias: String
        package let rows: Int
    }

    /// The SQL, with `?` in place of the values.
    package let sql: String
    package let plan: [Step]
    /// The plan as SQLite's shell prints it.
    package let planLines: [String]
    /// The visited rows by table; nil if the query that counts them would have another plan.
    package let visits: [Visit]?
    /// The number of steps in full scans of tables or indexes.
    package let scanSteps: Int
    package let rowsReturned: Int
    /// Whether rows are sorted in a temporary b-tree.
    package let isSorted: Bool
    /// Whether SQLite creates an automatic index for this execution.
    package let makesIndex: Bool

    /// The number of visited rows; the number of scan steps if `visits` is nil.
    package var rowsVisited: Int { visits?.reduce(0) { $0 + $1.rows } ?? scanSteps }
}

/// An index that could be added to the model.
package struct IndexCandidate: Sendable, Equatable {
    package struct Element: Sendable, Equatable {
        package let property: String
        package let isAscending: Bool

        package init(property: String, isAscending: Bool) {
            self.property = property
            self.isAscending = isAscending
        }
    }

    package let entity: String
    /// The name in the model; unique among the entity's indexes.
    package let name: String
    package let elements: [Element]

    package init(entity: String, name: String, elements: [Element]) {
        self.entity = entity
        self.name = name
        self.elements = elements
    }
}

/// The result of trying an index in a copy of the store.
package struct IndexTrialResult: Sendable, Equatable {
    package let candidate: IndexCandidate
    /// The statement with which Core Data creates the index.
    package let sql: String
    /// The fetch with the index; its counts are valid only if `isMeasured` is true.
    package let explanation: QueryExplanation
    /// Whether the copy had the store's rows; otherwise only the plans were compared.
    package let isMeasured: Bool
}

extension QueryExplanation.Step {
    static func tree(of plan: QueryPlan) -> [Self] { plan.roots.map { tree(of: $0, in: plan) } }

    private static func tree(of step: QueryPlan.Step, in plan: QueryPlan) -> Self {
        Self(detail: step.detail, parts: plan.parts(of: step).map { tree(of: $0, in: plan) })
    }
}
