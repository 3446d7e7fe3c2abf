import CoreDataStore

/// Limits on the size of a predicate: a predicate made in code can have any depth and size.
enum QueryLimits {
    /// The maximum nesting of compounds, functions and sub-queries; in chained arithmetic each operator counts as a
    /// level.
    static let depth = 512
    /// The maximum number of predicates and expressions in total; a part that is used twice counts twice.
    static let nodes = 1_000_000
    /// The maximum number of bound values of a statement; SQLite's default limit is 32,766.
    static let parameters = 32_000
    /// The number of values up to which a list is bound value by value; a longer list becomes one parameter.
    static let valuesInText = 500

    /// Checks depth and size without recursion, so that the code that follows may recurse.
    ///
    /// - Throws: `QueryError` with `tooDeep` or `tooLarge`.
    static func check(_ predicate: NSPredicate) throws {
        var open: [(part: Part, depth: Int)] = [(.predicate(predicate), 1)]
        var count = 0
        while let (part, depth) = open.popLast() {
            count += 1
            guard depth <= Self.depth else {
                throw QueryError(.tooDeep, "the predicate is nested more than \(Self.depth) deep")
            }
            guard count <= nodes else { throw QueryError(.tooLarge, "the predicate has more than \(nodes) parts") }
            part.forEachPart { open.append(($0, depth + 1)) }
        }
    }

    private enum Part {
        case predicate(NSPredicate)
        case expression(NSExpression)

        func forEachPart(_ body: (Part) -> Void) {
            switch self {
            case .predicate(let compound as Foundation.NSCompoundPredicate):
                for part in compound.subpredicates { body(.predicate(part)) }
            case .predicate(let comparison as NSComparisonPredicate):
                body(.expression(comparison.leftExpression))
                body(.expression(comparison.rightExpression))
            case .predicate: break
            case .expression(let expression): Self.forEachPart(of: expression.form, body)
            }
        }

        private static func forEachPart(of form: ExpressionForm, _ body: (Part) -> Void) {
            switch form {
            case .constant, .evaluatedObject, .variable, .anyKey: break
            case .keyPath(let operand, _): operand.map { body(.expression($0)) }
            case .function(_, let parts), .aggregate(let parts), .block(_, let parts):
                for part in parts { body(.expression(part)) }
            case .call(let receiver, _, let parts): for part in [receiver] + parts { body(.expression(part)) }
            case .set(_, let left, let right):
                body(.expression(left))
                body(.expression(right))
            case .assignment(_, let value): body(.expression(value))
            case .fetch(let request, let context, _):
                body(.expression(request))
                body(.expression(context))
            case .subquery(let collection, _, let predicate):
                body(.expression(collection))
                body(.predicate(predicate))
            case .conditional(let predicate, let first, let second):
                body(.predicate(predicate))
                body(.expression(first))
                body(.expression(second))
            }
        }
    }
}
