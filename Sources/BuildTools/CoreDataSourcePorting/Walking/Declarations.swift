import SwiftSyntax

extension AttributeListSyntax {
    /// The Objective-C name in `@objc(name)`; nil if there is none.
    var objectiveCName: String? {
        for case .attribute(let attribute) in self where attribute.attributeName.trimmedDescription == "objc" {
            return attribute.arguments?.trimmedDescription
        }
        return nil
    }
}

extension InitializerDeclSyntax {
    /// Whether it is `init(entity:insertInto:)`.
    var isInserting: Bool { labels == ["entity", "insertInto"] }

    /// Whether it is `init(context:)` with a context that is not optional.
    var takesContext: Bool {
        labels == ["context"]
            && signature.parameterClause.parameters.first?.type.trimmedDescription.hasSuffix("NSManagedObjectContext")
                == true
    }

    /// Whether it is the coordinator's `init(managedObjectModel:)`.
    var takesModel: Bool { labels == ["managedObjectModel"] }

    private var labels: [String] { signature.parameterClause.parameters.map(\.firstName.text) }
}

extension ExtensionDeclSyntax {
    /// The last component of the extended type's name.
    var extendedClass: String? { extendedType.trimmedDescription.split(separator: ".").last.map(String.init) }
}

extension DeclModifierListSyntax {
    var isOverride: Bool { contains { $0.name.tokenKind == .keyword(.override) } }
}

extension SyntaxProtocol {
    /// The type or extension whose body contains a declaration, also inside `#if`; nil for a local declaration.
    var enclosingType: Syntax? {
        var node = parent
        while let outer = node {
            if outer.isProtocol((any DeclGroupSyntax).self) { return outer }
            guard !outer.is(CodeBlockSyntax.self), !outer.is(ClosureExprSyntax.self) else { return nil }
            node = outer.parent
        }
        return nil
    }
}

extension DeclSyntax {
    /// The names that a declaration introduces; empty for initializers, extensions and other kinds.
    var declaredNames: [String] {
        switch self.as(DeclSyntaxEnum.self) {
        case .classDecl(let type): [type.name.text]
        case .structDecl(let type): [type.name.text]
        case .enumDecl(let type): [type.name.text]
        case .actorDecl(let type): [type.name.text]
        case .protocolDecl(let type): [type.name.text]
        case .typeAliasDecl(let type): [type.name.text]
        case .functionDecl(let function): [function.name.text]
        case .variableDecl(let variable):
            variable.bindings.compactMap { $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text }
        default: []
        }
    }
}
