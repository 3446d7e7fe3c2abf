import SwiftSyntax

/// The types that variables and parameters of some sources are declared with, by their names.
///
/// Scopes are ignored: a name has all types with which any source declares it.
struct VariableTypes {
    private var types: [String: Set<String>] = [:]

    /// Adds the variable or parameter that a node declares.
    mutating func add(_ node: Syntax) {
        if let binding = node.as(PatternBindingSyntax.self) {
            guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else { return }
            add(name, binding.typeAnnotation?.type.trimmedDescription ?? Self.made(by: binding.initializer?.value))
        } else if let parameter = node.as(FunctionParameterSyntax.self) {
            add((parameter.secondName ?? parameter.firstName).text, parameter.type.trimmedDescription)
        }
    }

    /// Adds the variables and parameters of another source.
    mutating func add(_ other: VariableTypes) { types.merge(other.types) { $0.union($1) } }

    private mutating func add(_ name: String, _ written: String?) {
        guard let written else { return }
        let words = written.split { " ?!".contains($0) }.filter { !["any", "some", "weak"].contains($0) }
        guard words.count == 1, let last = words[0].split(separator: ".").last else { return }
        types[name, default: []].insert(String(last))
    }

    /// The name of the type in an expression such as `Panel()` or `Panel.shared`; nil for other expressions.
    private static func made(by value: ExprSyntax?) -> String? {
        if let call = value?.as(FunctionCallExprSyntax.self) {
            return typeName(call.calledExpression.trimmedDescription)
        }
        return value.flatMap { $0.as(MemberAccessExprSyntax.self)?.base?.trimmedDescription }.flatMap(typeName)
    }

    private static func typeName(_ text: String) -> String? { text.first?.isUppercase == true ? text : nil }

    /// The types that the expression before a dot may have, by its text; empty if none is known.
    func types(of base: String) -> Set<String> {
        let plain = base.filter { !"?! \n".contains($0) }
        if plain.hasSuffix(")") {
            return Self.typeName(String(plain.prefix { $0 != "(" })).map { [$0] } ?? []
        }
        let parts = plain.split(separator: ".").map(String.init)
        guard let first = parts.first, let last = parts.last else { return [] }
        if parts.count == 2, Self.typeName(first) != nil, Self.singletons.contains(last) { return [first] }
        return types[last] ?? []
    }

    private static let singletons: Set = ["shared", "default", "main", "current", "standard"]
}
