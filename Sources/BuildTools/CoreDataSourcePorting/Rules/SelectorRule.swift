import SwiftSyntax

/// Replaces selectors of comparisons with `NSSelectorFromString`; reports others, since without Objective-C no method
/// can be called by its selector.
enum SelectorRule {
    private static let comparisons: Set = [
        "compare", "caseInsensitiveCompare", "localizedCompare", "localizedCaseInsensitiveCompare",
        "localizedStandardCompare",
    ]

    /// The selector of a comparison that sort descriptors support, such as `compare:`; nil for any other method.
    static func comparison(in argument: ExprSyntax) -> String? {
        let written = argument.trimmedDescription.split(separator: " ").first ?? ""
        let name = written.split(separator: "(").first?.split(separator: ".").last.map(String.init) ?? ""
        return comparisons.contains(name) ? name + ":" : nil
    }
}

extension FilePort {
    mutating func rewriteSelector(_ macro: MacroExpansionExprSyntax, _ argument: ExprSyntax) {
        guard let name = SelectorRule.comparison(in: argument) else {
            return report(
                macro, "no method is called by its name without Objective-C: hand over a closure instead of a selector")
        }
        edit(macro.bytes, "NSSelectorFromString(\"\(name)\")")
    }

    /// Adds an `#else` with `addObserver(_:calling:name:object:)` to an `addObserver(_:selector:name:object:)`
    /// statement; returns false for another statement.
    mutating func rewriteObserving(_ item: CodeBlockItemSyntax, _ surroundings: SyntaxWalk.Surroundings) -> Bool {
        guard let (selector, method) = observing(in: item, surroundings) else { return false }
        let bytes = item.bytes
        let indent = source.indent(at: bytes.lowerBound)
        let twin =
            source.text(bytes.lowerBound..<selector.bytes.lowerBound) + "calling: \(method),"
            + source.text(selector.bytes.upperBound..<bytes.upperBound)
        let block = guarded(source.text(bytes), indent: indent, otherwise: twin)
        let lead = source.startsLine(bytes.lowerBound) ? "" : source.newline + indent
        let tail = source.lineEnd(after: bytes.upperBound) == nil ? source.newline + indent : ""
        edit(bytes, lead + block + tail)
        return true
    }

    /// The selector argument of a statement that `rewriteObserving` can rewrite, and the method to pass instead; nil
    /// for another statement.
    func observing(
        in item: CodeBlockItemSyntax, _ surroundings: SyntaxWalk.Surroundings
    ) -> (selector: LabeledExprSyntax, method: String)? {
        guard let call = item.item.as(FunctionCallExprSyntax.self),
            let callee = call.calledExpression.as(MemberAccessExprSyntax.self),
            callee.declName.baseName.text == "addObserver",
            call.arguments.map({ $0.label?.text }) == [nil, "selector", "name", "object"],
            let selector = call.arguments.dropFirst().first,
            let argument = argument(of: selector.expression, item),
            let method = method(argument, observer: call.arguments.first?.expression, surroundings)
        else { return nil }
        return (selector, method)
    }

    /// The method in a `#selector` expression, or in the constant of the same block that the expression names.
    private func argument(of selector: ExprSyntax, _ item: CodeBlockItemSyntax) -> ExprSyntax? {
        if let macro = selector.as(MacroExpansionExprSyntax.self) {
            return macro.macroName.text == "selector" ? macro.arguments.first?.expression : nil
        }
        guard let name = selector.as(DeclReferenceExprSyntax.self)?.baseName.text else { return nil }
        return SelectorConstantRule.method(named: name, before: item)
    }

    /// A method as an unapplied reference, such as `Stack.didSave(_:)`; nil if the type of the observer is not known.
    private func method(
        _ argument: ExprSyntax, observer: ExprSyntax?, _ surroundings: SyntaxWalk.Surroundings
    ) -> String? {
        let written = argument.trimmedDescription
        guard !written.contains(" "), let name = argument.as(MemberAccessExprSyntax.self) else {
            guard argument.is(DeclReferenceExprSyntax.self), observer?.trimmedDescription == "self" else { return nil }
            return surroundings.type.map { "\($0).\(written)" }
        }
        let base = name.base?.trimmedDescription ?? ""
        guard ["self", "Self"].contains(base) else { return base.first?.isUppercase == true ? written : nil }
        guard observer?.trimmedDescription == "self" else { return nil }
        return surroundings.type.map { "\($0).\(name.declName.trimmedDescription)" }
    }
}
