/// A query, or a query within an expression.
package struct SQLSelect: Sendable, Hashable {
    package enum Result: Sendable, Hashable {
        case columns([SQLColumn])
        /// The number 1 for each row.
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
        /// The name of a collating sequence; nil for the database's order of the values.
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
    /// Whether equal rows are returned once.
    package var isDistinct = false
    /// The expressions by which rows are grouped; the result then has one row per group.
    package var grouping: [SQLExpression] = []
    /// The condition that groups must meet (HAVING).
    package var groupCondition: SQLExpression = .truth(true)
    package var orderings: [Ordering] = []
    package var window: Window?
}

/// The aggregate functions.
package enum SQLAggregate: String, Sendable, Hashable {
    case count = "COUNT"
    case sum = "SUM"
    case average = "AVG"
    case minimum = "MIN"
    case maximum = "MAX"
    /// Concatenates the texts of all rows, separated by spaces.
    case gather = "group_concat"
}

/// A table, and the tables that are joined to it by keys.
package struct SQLSource: Sendable, Hashable {
    package enum Table: Sendable, Hashable {
        case named(String)
        /// The partners of an outer row in a relationship that is its own inverse, from either column of its join
        /// table, as `Z_OTHER`.
        case partners(table: String, first: String, second: String, owner: SQLColumn)
    }

    /// Joins the row of another table with a given key; all columns are NULL if the key is NULL.
    package struct Join: Sendable, Hashable {
        package let alias: Int
        package let table: String
        package let key: SQLColumn
    }

    package let alias: Int
    package let table: Table
    package var joins: [Join] = []
    /// A search that is the outer loop: each of its hits leads to a row of the table.
    package var leadingSearch: SQLSearch?

    /// The maximum number of tables in one FROM clause: SQLite's limit of 64.
    static let greatestTableCount = 64
}
