import SwiftSyntax

/// Constants such as `let saved = #selector(didSave(_:))` that are passed only to
/// `addObserver(_:selector:name:object:)`.
enum SelectorConstantRule {
    /// The method in the `#selector` of a constant that the block of `item` declares before `item`; nil if there is
    /// none.
    static func method(named name: String, before item: CodeBlockItemSyntax) -> ExprSyntax? {
        guard let list = item.parent?.as(CodeBlockItemListSyntax.self) else { return nil }
        return list.prefix { $0.id != item.id }.lazy.compactMap { constant(in: $0) }.last { $0.name == name }?.method
    }

    /// Returns the name and the method of a constant that a statement declares with `#selector`.
    ///
    /// Returns nil for the selector of a comparison such as `compare(_:)`, which can be ported as a name.
    static func constant(in item: CodeBlockItemSyntax) -> (name: String, method: ExprSyntax)? {
        guard let variable = item.item.as(VariableDeclSyntax.self), variable.bindings.count == 1,
            variable.bindingSpecifier.text == "let", let binding = variable.bindings.first,
            let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
            let macro = binding.initializer?.value.as(MacroExpansionExprSyntax.self),
            macro.macroName.text == "selector",
            let method = macro.arguments.first?.expression, SelectorRule.comparison(in: method) == nil
        else { return nil }
        return (name, method)
    }

    /// The statements after a constant in its block that use its name; nil if one statement uses the name more than
    /// once.
    static func uses(of name: String, declaredBy item: CodeBlockItemSyntax) -> [CodeBlockItemSyntax]? {
        guard let list = item.parent?.as(CodeBlockItemListSyntax.self) else { return nil }
        var uses: [CodeBlockItemSyntax] = []
        for other in list.drop(while: { $0.id != item.id }).dropFirst() {
            var count = 0
            SyntaxWalk.visitAll(other) { node in
                if node.as(DeclReferenceExprSyntax.self)?.baseName.text == name { count += 1 }
            }
            if count > 1 { return nil }
            if count == 1 { uses.append(other) }
        }
        return uses
    }
}

extension FilePort {
    /// Puts a selector constant behind `#if canImport(ObjectiveC)` if every statement that uses it can be rewritten by
    /// `rewriteObserving`; returns false otherwise.
    mutating func keepSelectorConstant(_ item: CodeBlockItemSyntax, _ surroundings: SyntaxWalk.Surroundings) -> Bool {
        guard let (name, _) = SelectorConstantRule.constant(in: item),
            let uses = SelectorConstantRule.uses(of: name, declaredBy: item), !uses.isEmpty,
            uses.allSatisfy({ observing(in: $0, surroundings) != nil })
        else { return false }
        let bytes = item.bytes
        edit(bytes, inOwnLines(bytes) { ["#if canImport(ObjectiveC)", $0, "#endif"] })
        return true
    }
}
