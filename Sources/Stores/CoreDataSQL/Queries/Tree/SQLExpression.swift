import CoreDataStore

/// A value or a condition of SQL, free of any dialect.
///
/// Conditions have two values: every place that takes one counts NULL as false, and `not` is true for NULL.
package indirect enum SQLExpression: Sendable, Hashable {
    case column(SQLColumn)
    case parameter(SQLParameter)
    /// A number of the schema or an option of a function, never a user's value: it stands in the text.
    case number(Int)
    case truth(Bool)
    /// Conditions in their written order, all of which must hold.
    case all([SQLExpression])
    case any([SQLExpression])
    case not(SQLExpression)
    case isNull(SQLExpression)
    case isNotNull(SQLExpression)
    case comparison(SQLComparison, SQLExpression, SQLExpression)
    case arithmetic(SQLOperator, SQLExpression, SQLExpression)
    case complement(SQLExpression)
    case call(String, [SQLExpression])
    /// Whether a value is one of a few.
    case among(SQLExpression, [SQLParameter])
    /// Whether a value is one of many.
    case listed(SQLExpression, SQLList)
    /// Whether the row with a key is among those that a search index finds.
    case searched(SQLColumn, SQLSearch)
    /// Whether the row with a key is in a rectangle, according to a search index.
    case boxed(SQLColumn, SQLBox)
    /// Whether the row with a key is among those that a search index ranks highest.
    case ranked(SQLColumn, SQLRanking)
    /// The key of the row that a leading search has found.
    case hit(of: SQLSearch)
    case exists(SQLSelect)
    case scalar(SQLSelect)
    /// What an index of folded texts has of a column's.
    case foldedKey(SQLColumn)
    /// The first value whose condition holds, else the last.
    case conditional(SQLExpression, then: SQLExpression, otherwise: SQLExpression)
}

/// A question to the search index with a number.
package struct SQLSearch: Sendable, Hashable {
    package let index: Int
    package let question: String
    /// Whether the search is for words; otherwise it is for parts of three characters.
    package var isOfWords = false
    /// Whether the index stands in the FROM, before the table, so that rows come as it finds them.
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
    /// Equal; unknown for NULL. Only where one side is never NULL.
    case equal
    /// Equal, NULL being a value like any other.
    case same
    case differs
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
}

/// The operators that do the same in SQL as in memory, on the numbers that they are used for.
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
    /// The condition that holds exactly where this one does not.
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

    /// The conjunction of conditions in their order, without those that always hold.
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

    /// The disjunction of conditions in their order, without those that never hold.
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
