import CoreDataSQL
import SQLiteKit

/// How a store carries out a fetch: its SQL, SQLite's plan, and what that cost when it was carried out.
package struct QueryExplanation: Sendable, Equatable {
    /// A step of SQLite's plan with the steps that are part of it.
    package struct Step: Sendable, Equatable {
        package let detail: String
        package let parts: [Step]
    }

    /// A table of the query, and how many of its rows were looked at.
    package struct Visit: Sendable, Equatable {
        package let table: String
        /// The name that the table has in the SQL: a query may have one table several times.
        package let alias: String
        package let rows: Int
    }

    /// The statement, in which `?` stands for the values.
    package let sql: String
    package let plan: [Step]
    /// The plan as SQLite's shell draws it.
    package let planLines: [String]
    /// What was looked at, table by table; nil where counting would have made SQLite go another way.
    package let visits: [Visit]?
    /// Moves from one row to the next in full scans of tables or indexes.
    package let scanSteps: Int
    package let rowsReturned: Int
    /// Whether rows are sorted in a temporary b-tree.
    package let isSorted: Bool
    /// Whether SQLite makes an index for this one execution.
    package let makesIndex: Bool

    /// All rows that were looked at; the steps of scans where no more is known.
    package var rowsVisited: Int { visits?.reduce(0) { $0 + $1.rows } ?? scanSteps }
}

/// An index that a model could have, named as Core Data would name it.
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
    /// The name in the model, which no other index of the entity has.
    package let name: String
    package let elements: [Element]

    package init(entity: String, name: String, elements: [Element]) {
        self.entity = entity
        self.name = name
        self.elements = elements
    }
}

/// What became of an index that was tried in a copy of the store.
package struct IndexTrialResult: Sendable, Equatable {
    package let candidate: IndexCandidate
    /// The statement with which Core Data makes the index.
    package let sql: String
    /// The fetch with the index. Its counts mean nothing unless `isMeasured`.
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
