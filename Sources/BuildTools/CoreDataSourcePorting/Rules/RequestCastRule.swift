import SwiftSyntax

/// Without Objective-C, a cast of a fetch request to another result type always fails; the rule uses `retyped(as:)`
/// there.
enum RequestCastRule {
    /// The result type in `NSFetchRequest<Hero>`; nil if the type is not a fetch request.
    static func results(of type: some SyntaxProtocol) -> String? {
        guard let name = type.as(IdentifierTypeSyntax.self), name.name.text == "NSFetchRequest",
            let arguments = name.genericArgumentClause?.arguments, arguments.count == 1, let argument = arguments.first
        else { return nil }
        return argument.argument.trimmedDescription
    }

    /// Whether the element before a cast's operand binds more loosely than the cast, so that only the operand is cast.
    static func bindsLooser(_ element: ExprSyntax?) -> Bool {
        guard let element else { return true }
        guard let binary = element.as(BinaryOperatorExprSyntax.self) else {
            return element.is(AssignmentExprSyntax.self) || element.is(UnresolvedTernaryExprSyntax.self)
        }
        return ["??", "==", "!=", "===", "!==", "&&", "||", "=", "~="].contains(binary.operator.text)
    }

    static let advice =
        "a fetch request cannot be cast to one of other results without Objective-C: use retyped(as:)"
}

extension FilePort {
    mutating func rewriteCasts(in expression: SequenceExprSyntax, _ surroundings: SyntaxWalk.Surroundings) {
        let elements = Array(expression.elements)
        for (index, element) in elements.enumerated() where index > 0 && index + 1 < elements.count {
            guard let type = elements[index + 1].as(TypeExprSyntax.self)?.type,
                let results = RequestCastRule.results(of: type)
            else { continue }
            let before = index > 1 ? elements[index - 2] : nil
            let mark = element.as(UnresolvedAsExprSyntax.self)?.questionOrExclamationMark
            let isQuestion = element.is(UnresolvedIsExprSyntax.self)
            guard mark != nil || isQuestion else { continue }
            guard RequestCastRule.bindsLooser(before), double(surroundings.item) else {
                report(element, RequestCastRule.advice)
                continue
            }
            // The source does not show the type of the value, or whether it may be nil.
            let value = plainValue(elements[index - 1]).bytes
            edit(value.lowerBound..<value.lowerBound, "(")
            let isForced = mark?.tokenKind == .exclamationMark
            let word = isQuestion ? "is" : isForced ? "as!" : "as?"
            let retyping = isQuestion ? ")" : ")\(isForced ? "" : "?").retyped(as: \(retypable(results)))"
            edit(value.upperBound..<type.bytes.upperBound, " as Any \(word) UntypedFetchRequest\(retyping)")
        }
    }

    /// The operand of a cast without `try` and `await`.
    private func plainValue(_ value: ExprSyntax) -> ExprSyntax {
        if let value = value.as(TryExprSyntax.self), value.questionOrExclamationMark == nil {
            return plainValue(value.expression)
        }
        return value.as(AwaitExprSyntax.self).map { plainValue($0.expression) } ?? value
    }

    private func retypable(_ results: String) -> String {
        results.contains(" ") ? "(\(results)).self" : "\(results).self"
    }

    /// Reports a cast of a fetch request in a pattern of a `case`.
    mutating func checkPattern(_ pattern: ExpressionPatternSyntax) {
        guard let elements = pattern.expression.as(SequenceExprSyntax.self)?.elements, elements.count > 1,
            let type = elements.last?.as(TypeExprSyntax.self)?.type, RequestCastRule.results(of: type) != nil
        else { return }
        report(pattern, RequestCastRule.advice)
    }
}
