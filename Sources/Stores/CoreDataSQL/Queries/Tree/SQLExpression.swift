import CoreDataStore

/// A value or a condition in SQL, independent of a dialect.
///
/// Conditions have two results: wherever one is evaluated, NULL counts as false, and `not` of NULL is true.
package indirect enum SQLExpression: Sendable, Hashable {
    case column(SQLColumn)
    case parameter(SQLParameter)
    /// A number from the schema or an option of a function, never a user's value; it is written as a literal.
    case number(Int)
    case truth(Bool)
    /// Conditions that must all be true, in the order in which they are written.
    case all([SQLExpression])
    case any([SQLExpression])
    case not(SQLExpression)
    case isNull(SQLExpression)
    case isNotNull(SQLExpression)
    case comparison(SQLComparison, SQLExpression, SQLExpression)
    case arithmetic(SQLOperator, SQLExpression, SQLExpression)
    case complement(SQLExpression)
    case call(String, [SQLExpression])
    /// Whether a value is one of a few, each bound as a parameter.
    case among(SQLExpression, [SQLParameter])
    /// Whether a value is one of many, bound as one parameter.
    case listed(SQLExpression, SQLList)
    /// Whether the row with a key is among those that a search index finds.
    case searched(SQLColumn, SQLSearch)
    /// Whether the row with a key is in a box, according to an R-tree.
    case boxed(SQLColumn, SQLBox)
    /// Whether the row with a key is among those that a search index ranks highest.
    case ranked(SQLColumn, SQLRanking)
    /// The key of the row found by a search that leads the FROM clause.
    case hit(of: SQLSearch)
    case exists(SQLSelect)
    case scalar(SQLSelect)
    /// The number of the day, as `CalendarDay` counts, of a time in seconds; NULL for what is no number.
    case day(of: SQLExpression)
    /// The folded key of a column's text, as a folded text index stores it.
    case foldedKey(SQLColumn)
    /// The `then` value if the condition is true, else the other value.
    case conditional(SQLExpression, then: SQLExpression, otherwise: SQLExpression)
}

/// A search in the search index with a number.
package struct SQLSearch: Sendable, Hashable {
    package let index: Int
    package let question: String
    /// Whether the search is for words; otherwise it is for trigrams.
    package var isOfWords = false
    /// Whether the index is in the FROM clause before the table, so that rows are returned in the order of the hits.
    package var isLeading = false
}

/// A column of the table with an alias: `t1.ZNAME` is alias 1.
package struct SQLColumn: Sendable, Hashable {
    package let alias: Int
    package let name: String

    package init(_ alias: Int, _ name: String) {
        self.alias = alias
        self.name = name
    }
}

/// How two values compare.
package enum SQLComparison: Sendable, Hashable {
    /// Equal; NULL if a side is NULL. Used only if at least one side is never NULL.
    case equal
    /// Equal, with NULL as a value like any other.
    case same
    case differs
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
}

/// The operators whose results in SQL equal those in memory, for the numbers that they are used with.
package enum SQLOperator: String, Sendable, Hashable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case modulus = "%"
    case and = "&"
    case or = "|"
    case leftShift = "<<"
    case rightShift = ">>"

    var isBitwise: Bool {
        switch self {
        case .and, .or, .leftShift, .rightShift: true
        default: false
        }
    }

    var isProduct: Bool { self == .multiply || self == .divide || self == .modulus }
}

extension SQLExpression {
    /// The condition that is true exactly where this one is not.
    var negated: SQLExpression {
        switch self {
        case .truth(let value): .truth(!value)
        case .isNull(let value): .isNotNull(value)
        case .isNotNull(let value): .isNull(value)
        case .comparison(.same, let left, let right): .comparison(.differs, left, right)
        case .comparison(.equal, let left, let right): .comparison(.differs, left, right)
        case .comparison(.differs, let left, let right): .comparison(.same, left, right)
        case .not(let condition): condition
        default: .not(self)
        }
    }

    /// Returns the conjunction of conditions in their order, simplified if some are constant.
    static func conjunction(_ parts: [SQLExpression]) -> SQLExpression {
        var kept: [SQLExpression] = []
        for part in parts {
            switch part {
            case .truth(true): continue
            case .truth(false): return part
            case .all(let inner): kept += inner
            default: kept.append(part)
            }
        }
        return kept.isEmpty ? .truth(true) : kept.count == 1 ? kept[0] : .all(kept)
    }

    /// Returns the disjunction of conditions in their order, simplified if some are constant.
    static func disjunction(_ parts: [SQLExpression]) -> SQLExpression {
        var kept: [SQLExpression] = []
        for part in parts {
            switch part {
            case .truth(false): continue
            case .truth(true): return part
            case .any(let inner): kept += inner
            default: kept.append(part)
            }
        }
        return kept.isEmpty ? .truth(false) : kept.count == 1 ? kept[0] : .any(kept)
    }
}
