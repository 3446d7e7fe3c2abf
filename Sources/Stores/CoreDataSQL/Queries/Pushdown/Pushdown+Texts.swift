import CoreDataStore

extension Pushdown {
    /// Returns the condition that a text contains another one, compared byte by byte.
    func contains(_ text: SQLExpression, _ part: SQLExpression) -> Condition {
        guard let text = value(text), let part = value(part), text.kind == .text, part.kind == .text else {
            return .unknown
        }
        let found = SQLExpression.comparison(
            .greater, .call("strpos", [text.expression, part.expression]), .number(0))
        let isCertain = Condition(found, unless: .disjunction([text.doubt, part.doubt]))
        guard mayMislead(part) else { return isCertain }
        return Condition(upper: isCertain.upper, lower: .truth(false), isExact: false)
    }

    /// Returns the condition of a test of two texts with comparison options.
    func test(_ name: String, _ arguments: [SQLExpression]) -> Condition {
        guard arguments.count == 3, case .number(let options) = arguments[2], let text = value(arguments[0]),
            text.kind == .text
        else { return .unknown }
        switch (name, arguments[1]) {
        case (SQLFunctionLibrary.isLike, .parameter(.text(let pattern))):
            let folded = FoldedText(text, options)
            let test = LikeTest(folded, pattern)
            return test.start.isEmpty
                ? test.condition : found(test.condition, of: folded, beginningWith: test.start)
        case (SQLFunctionLibrary.matches, .parameter(.text(let pattern))):
            return MatchTest(FoldedText(text, options), pattern).condition
        case (SQLFunctionLibrary.isLike, _), (SQLFunctionLibrary.matches, _): return .unknown
        case (_, .parameter(.text(let part))):
            let folded = FoldedText(text, options)
            let constant = folded.constant(part)
            let condition = search(
                name, text: folded.value(deciding: constant),
                part: PushedValue(expression: .parameter(.text(EscapedText.escaped(constant))), kind: .text))
            return name == SQLFunctionLibrary.hasPrefix ? found(condition, of: folded, beginningWith: part) : condition
        default:
            guard let part = value(arguments[1]), part.kind == .text else { return .unknown }
            return search(
                name, text: FoldedText(text, options).value(deciding: nil),
                part: FoldedText(part, options).value(deciding: nil))
        }
    }

    private func search(_ name: String, text: PushedValue, part: PushedValue) -> Condition {
        let doubt = SQLExpression.disjunction([text.doubt, part.doubt])
        func end(_ function: String) -> SQLExpression {
            let end = SQLExpression.call(function, [text.expression, .call("char_length", [part.expression])])
            let isEnd = SQLExpression.comparison(.equal, end, part.expression)
            // If the part is NULL, the condition must be false and not NULL, since it may be negated.
            if case .parameter = part.expression { return isEnd }
            return .conjunction([.isNotNull(part.expression), isEnd])
        }
        switch name {
        case SQLFunctionLibrary.hasPrefix: return Condition(end("pg_catalog.left"), unless: doubt)
        case SQLFunctionLibrary.hasSuffix where !mayMislead(part):
            return Condition(end("pg_catalog.right"), unless: doubt)
        case SQLFunctionLibrary.contains where !mayMislead(part):
            let place = SQLExpression.call("strpos", [text.expression, part.expression])
            return Condition(.comparison(.greater, place, .number(0)), unless: doubt)
        default: return .unknown
        }
    }

    /// Returns a comparison of a text with a constant, both folded; nil for other comparisons.
    ///
    /// - Parameter looksUp: whether an equality is narrowed by a lookup in a folded text index, if one exists.
    func compareFolded(
        _ comparison: SQLComparison, left: SQLExpression, right: SQLExpression, looksUp: Bool = true
    ) -> Condition? {
        guard case .call(SQLFunctionLibrary.fold, let arguments) = left, arguments.count == 2,
            case .number(let options) = arguments[1], case .parameter(.text(let constant)) = right,
            let text = value(arguments[0]), text.kind == .text
        else { return nil }
        let isEquality = [.equal, .same, .differs].contains(comparison)
        let folded = FoldedText(text, options)
        let condition = Condition(folded.value(deciding: isEquality ? constant : nil)) {
            .comparison(comparison, $0, .parameter(.text(EscapedText.escaped(constant))))
        }
        return comparison == .equal && looksUp ? found(condition, of: folded, equalTo: constant) : condition
    }

    private func mayMislead(_ part: PushedValue) -> Bool {
        guard case .parameter(.text(let text)) = part.expression else { return true }
        return EscapedText.mayMislead(text)
    }
}
