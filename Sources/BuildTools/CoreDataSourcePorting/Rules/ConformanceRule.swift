import SwiftSyntax

/// What of Combine a class of a model can do without: that it is observable, and the marks of its published properties.
enum ConformanceRule {
    static let observable = "ObservableObject"
    static let published = "Published"

    /// Whether these rules remove a name themselves.
    static func isSeenTo(_ token: TokenSyntax) -> Bool {
        if token.text == observable { return conformingClass(token) != nil }
        guard token.text == published else { return false }
        return token.parent?.parent?.is(AttributeSyntax.self) == true
    }

    /// The class, outside any other type, whose conformance consists of exactly this name in its inheritance clause.
    private static func conformingClass(_ token: TokenSyntax) -> ClassDeclSyntax? {
        guard let inherited = token.parent?.parent?.as(InheritedTypeSyntax.self),
            let type = inherited.parent?.parent?.parent?.as(ClassDeclSyntax.self),
            type.parent?.parent?.parent?.is(SourceFileSyntax.self) == true
        else { return nil }
        return type
    }

    /// The place of the conformance in a class's clause.
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
    /// Has an observable class conform in an extension of its own, where there is Combine.
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
