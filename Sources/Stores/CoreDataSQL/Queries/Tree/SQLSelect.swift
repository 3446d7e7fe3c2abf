/// A query, or a query within an expression.
package struct SQLSelect: Sendable, Hashable {
    package enum Result: Sendable, Hashable {
        case columns([SQLColumn])
        /// Any row at all.
        case one
        case count
        case aggregate(SQLAggregate, SQLExpression)
        /// The sum of integers; a real if it exceeds an integer's range.
        case wholeSum(SQLExpression)
        /// A row's key and a value.
        case keyed(SQLColumn, SQLExpression)
        /// Several values.
        case values([SQLExpression])
    }

    package struct Ordering: Sendable, Hashable {
        package let value: SQLExpression
        /// The name of a collating sequence; nil for the order of bytes.
        package let collation: String?
        package let ascending: Bool
    }

    package struct Window: Sendable, Hashable {
        /// Nil for no limit.
        package let limit: Int64?
        package let offset: Int64
    }

    package let result: Result
    package let source: SQLSource
    package let condition: SQLExpression
    /// Whether equal rows are given once.
    package var isDistinct = false
    /// What rows of one group have in common; the result is then of groups.
    package var grouping: [SQLExpression] = []
    /// What groups must fulfil.
    package var groupCondition: SQLExpression = .truth(true)
    package var orderings: [Ordering] = []
    package var window: Window?
}

/// What a sub-select makes of the values of many rows.
package enum SQLAggregate: String, Sendable, Hashable {
    case count = "COUNT"
    case sum = "SUM"
    case average = "AVG"
    case minimum = "MIN"
    case maximum = "MAX"
    /// The texts of all rows with spaces between them.
    case gather = "group_concat"
}

/// A table with the tables that its keys lead to.
package struct SQLSource: Sendable, Hashable {
    package enum Table: Sendable, Hashable {
        case named(String)
        /// The partners of an outer row in a relationship that is its own inverse, in whichever column they stand, as
        /// `Z_OTHER`.
        case partners(table: String, first: String, second: String, owner: SQLColumn)
    }

    /// A row of another table found by its key; all NULL where the key is NULL.
    package struct Join: Sendable, Hashable {
        package let alias: Int
        package let table: String
        package let key: SQLColumn
    }

    package let alias: Int
    package let table: Table
    package var joins: [Join] = []
    /// The search whose hits are gone through, each of which leads to a row of the table.
    package var leadingSearch: SQLSearch?

    /// The most tables that a query can have in one FROM: SQLite's limit of 64.
    static let greatestTableCount = 64
}
