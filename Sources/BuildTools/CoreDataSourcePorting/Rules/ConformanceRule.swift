import SwiftSyntax

/// The uses of Combine that need no gating of a class: its conformance to `ObservableObject`, and `@Published`.
enum ConformanceRule {
    static let observable = "ObservableObject"
    static let published = "Published"

    /// Whether another rule moves or guards this use of `ObservableObject` or `@Published`, so that gating ignores it.
    static func isSeenTo(_ token: TokenSyntax) -> Bool {
        if token.text == observable { return conformingClass(token) != nil }
        guard token.text == published else { return false }
        return token.parent?.parent?.is(AttributeSyntax.self) == true
    }

    /// The top-level class whose inheritance clause lists this name; nil otherwise.
    private static func conformingClass(_ token: TokenSyntax) -> ClassDeclSyntax? {
        guard let inherited = token.parent?.parent?.as(InheritedTypeSyntax.self),
            let type = inherited.parent?.parent?.parent?.as(ClassDeclSyntax.self),
            type.parent?.parent?.parent?.is(SourceFileSyntax.self) == true
        else { return nil }
        return type
    }

    /// The index of `ObservableObject` in the inheritance clause of a top-level class; nil if it is not there.
    static func index(in type: ClassDeclSyntax) -> Int? {
        guard let types = type.inheritanceClause?.inheritedTypes else { return nil }
        return types.map { $0 }.firstIndex { inherited in
            guard let name = inherited.type.as(IdentifierTypeSyntax.self)?.name, name.text == observable else {
                return false
            }
            return conformingClass(name) != nil
        }
    }
}

extension FilePort {
    /// Moves the conformance to `ObservableObject` into an extension behind `#if canImport(Combine)`.
    mutating func moveObservability(of type: ClassDeclSyntax) {
        guard let clause = type.inheritanceClause, let index = ConformanceRule.index(in: type),
            !appleImports.isDisjoint(with: ["Combine", "SwiftUI"])
        else { return }
        let types = Array(clause.inheritedTypes)
        if types.count == 1 {
            edit(source.textEnd(before: clause.bytes.lowerBound)..<clause.bytes.upperBound, "")
        } else if index + 1 < types.count {
            edit(types[index].bytes.lowerBound..<types[index + 1].bytes.lowerBound, "")
        } else {
            edit(types[index - 1].type.bytes.upperBound..<types[index].bytes.upperBound, "")
        }
        let end = type.bytes.upperBound
        let lines = ["", "", "#if canImport(Combine)", "extension \(type.name.text): ObservableObject {}", "#endif"]
        edit(end..<end, lines.joined(separator: source.newline))
    }
}
