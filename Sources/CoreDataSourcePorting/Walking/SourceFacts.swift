import SwiftSyntax

/// What rules must know of all sources together.
struct SourceFacts {
    /// The initializers that a class declares in its body.
    struct Initializers {
        /// Whether one of them is `init(entity:insertInto:)`.
        var hasInserting = false
        /// Whether one of them calls an initializer of the superclass, so that none of the superclass's are inherited.
        var hasDesignated = false
    }

    /// The first of the types that a class inherits from, by the class's name.
    private var superclasses: [String: String] = [:]
    private(set) var initializers: [String: Initializers] = [:]
    /// The names that Objective-C knows properties by, where they are others.
    private(set) var namesOfProperties: [String: String] = [:]
    /// The names that a file gives a type by an alias of its own.
    private(set) var aliases: Set<String> = []

    /// How long a chain of superclasses is followed.
    private static let chainLimit = 64

    /// Adds what a source says.
    mutating func add(_ tree: SourceFileSyntax) {
        SyntaxWalk.visitAll(tree) { node in
            if let type = node.as(ClassDeclSyntax.self) { add(type) }
            if let alias = node.as(TypeAliasDeclSyntax.self) { aliases.insert(alias.name.text) }
            if let variable = node.as(VariableDeclSyntax.self) { add(variable) }
            if let initializer = node.as(InitializerDeclSyntax.self) { add(initializer) }
        }
    }

    private mutating func add(_ type: ClassDeclSyntax) {
        guard let first = type.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription else { return }
        superclasses[type.name.text] = first.split(separator: ".").last.map(String.init) ?? first
    }

    private mutating func add(_ variable: VariableDeclSyntax) {
        guard let name = AttributeRule.objectiveCName(of: variable.attributes), variable.bindings.count == 1,
            let own = variable.bindings.first?.pattern.trimmedDescription, own != name
        else { return }
        namesOfProperties[own] = name
    }

    private mutating func add(_ initializer: InitializerDeclSyntax) {
        guard let type = Self.enclosingClass(of: initializer) else { return }
        var known = initializers[type] ?? Initializers()
        if initializer.isInserting { known.hasInserting = true }
        if !initializer.modifiers.contains(where: { $0.name.tokenKind == .keyword(.convenience) }) {
            known.hasDesignated = true
        }
        initializers[type] = known
    }

    /// The class in whose body an initializer stands, through the `#if`s there.
    static func enclosingClass(of initializer: InitializerDeclSyntax) -> String? {
        var node = Syntax(initializer).parent
        while let outer = node {
            if let type = outer.as(ClassDeclSyntax.self) { return type.name.text }
            guard !outer.isProtocol((any DeclGroupSyntax).self) else { return nil }
            node = outer.parent
        }
        return nil
    }

    /// Whether a class is one of managed objects.
    func isManaged(_ name: String) -> Bool {
        var name = name
        for _ in 0..<Self.chainLimit {
            guard let next = superclasses[name] else { return false }
            if next == "NSManagedObject" { return true }
            name = next
        }
        return false
    }
}

extension InitializerDeclSyntax {
    /// The labels of its parameters.
    var labels: [String] { signature.parameterClause.parameters.map(\.firstName.text) }

    /// Whether it is `init(entity:insertInto:)`.
    var isInserting: Bool { labels == ["entity", "insertInto"] }
}
