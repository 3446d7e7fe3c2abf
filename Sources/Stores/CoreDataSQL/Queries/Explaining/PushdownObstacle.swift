/// Finds the part of a condition that a database cannot evaluate exactly without the functions of this framework.
struct PushdownObstacle {
    /// The reason given when the database can read every operand.
    static let comparison = "the server compares such values otherwise than memory"

    private let pushdown: Pushdown

    init(_ pushdown: Pushdown) { self.pushdown = pushdown }

    /// Returns the part of a condition that the database cannot evaluate; nil if it evaluates all parts, exactly or
    /// with doubt.
    func reason(against condition: SQLExpression) -> String? {
        switch condition {
        case .all(let parts), .any(let parts): return parts.lazy.compactMap { reason(against: $0) }.first
        case .not(let part): return reason(against: part)
        case .exists(let select): return within(select).reason(against: select.condition)
        case .isNull(let part), .isNotNull(let part), .among(let part, _), .listed(let part, _):
            return reason(againstValue: part)
        case .comparison(_, let left, let right):
            return reason(againstValue: left) ?? reason(againstValue: right)
        case .call(let name, let arguments): return reason(against: name, arguments)
        case .column, .parameter, .number, .truth, .arithmetic, .complement, .searched, .boxed, .ranked, .hit,
            .day, .foldedKey, .scalar, .conditional:
            return nil
        }
    }

    /// Returns why a database cannot sort by these orderings; nil if it can.
    func reason(against orderings: [SQLSelect.Ordering]) -> String? {
        guard pushdown.orderings(orderings) == nil else { return nil }
        return orderings.lazy.compactMap { ordering in
            ordering.collation.map { "the order \(Self.words($0))" } ?? reason(againstValue: ordering.value)
        }.first ?? "an order by values that the server may have otherwise than memory"
    }

    /// Describes the values for which the database may evaluate a condition otherwise than memory does.
    static func doubt(_ condition: SQLExpression) -> String {
        asksOfTexts(condition)
            ? "texts with characters that a server may not know, or that are divided by rules of their own"
            : "numbers near the ends of their range"
    }

    private static func asksOfTexts(_ expression: SQLExpression) -> Bool {
        switch expression {
        case .call(let name, let arguments):
            textTests.contains(name) || name == SQLFunctionLibrary.fold || arguments.contains(where: asksOfTexts)
        case .all(let parts), .any(let parts): parts.contains(where: asksOfTexts)
        case .not(let part), .isNull(let part), .isNotNull(let part): asksOfTexts(part)
        case .comparison(_, let left, let right): asksOfTexts(left) || asksOfTexts(right)
        case .exists(let select): asksOfTexts(select.condition)
        default: false
        }
    }

    private static let textTests = [
        SQLFunctionLibrary.hasPrefix, SQLFunctionLibrary.hasSuffix, SQLFunctionLibrary.contains,
        SQLFunctionLibrary.isLike, SQLFunctionLibrary.matches, "instr",
    ]

    private func within(_ select: SQLSelect) -> PushdownObstacle { PushdownObstacle(pushdown.within(select.source)) }

    private func reason(against test: String, _ arguments: [SQLExpression]) -> String? {
        if let reason = arguments.lazy.compactMap({ reason(againstValue: $0) }).first { return reason }
        guard !pushdown.condition(.call(test, arguments)).isExact else { return nil }
        guard pushdown.condition(.call(test, arguments)).lower == .truth(false) else { return nil }
        switch test {
        case SQLFunctionLibrary.matches: return "a regular expression that the server's engine does not have"
        case SQLFunctionLibrary.isLike: return "a pattern that the server cannot match as memory does"
        default: return nil
        }
    }

    /// Returns why the database cannot compute a value as it is computed in memory; nil if it can.
    private func reason(againstValue value: SQLExpression) -> String? {
        switch value {
        // These functions are not pushed as values: they say how their arguments are compared.
        case .call(SQLFunctionLibrary.order, let parts), .call(SQLFunctionLibrary.isSame, let parts),
            .call("instr", let parts):
            return parts.lazy.compactMap { reason(againstValue: $0) }.first
        // An aggregate over rows is in doubt if the condition that selects the rows is.
        case .scalar(let select):
            if let reason = within(select).reason(against: select.condition) { return reason }
        default: break
        }
        guard pushdown.value(value) == nil else { return nil }
        switch value {
        case .call(let name, let parts):
            return parts.lazy.compactMap { reason(againstValue: $0) }.first ?? Self.text(of: name)
        case .arithmetic(let sign, let left, let right):
            return reason(againstValue: left) ?? reason(againstValue: right) ?? "the operator \(sign.rawValue)"
        case .complement(let part), .day(let part): return reason(againstValue: part)
        case .conditional(let condition, let first, let second):
            return reason(against: condition) ?? reason(againstValue: first) ?? reason(againstValue: second)
        case .scalar(let select):
            return within(select).reason(against: select.result)
        case .column, .parameter, .number, .truth, .all, .any, .not, .isNull, .isNotNull, .comparison, .among, .listed,
            .searched, .boxed, .ranked, .hit, .foldedKey, .exists:
            return nil
        }
    }

    private func reason(against result: SQLSelect.Result) -> String? {
        switch result {
        case .aggregate(let aggregate, let part):
            let sum = aggregate == .sum || aggregate == .average || aggregate == .gather
            return reason(againstValue: part) ?? (sum ? "sums and averages of numbers that are not whole" : nil)
        case .wholeSum(let part), .keyed(_, let part): return reason(againstValue: part)
        case .columns, .one, .count, .values: return nil
        }
    }

    private static func text(of function: String) -> String {
        guard function.hasPrefix(prefix) else { return "the function \(function)" }
        let words = words(function)
        return words.hasPrefix("decimal ") || words == "cast" ? "arithmetic of decimals" : "the function '\(words)'"
    }

    private static let prefix = "coredata_"

    private static func words(_ name: String) -> String {
        name.replacing(prefix, with: "", maxReplacements: 1).replacing("_", with: " ")
    }
}
