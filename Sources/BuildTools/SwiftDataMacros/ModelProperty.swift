import SwiftSyntax

/// A property of a model class that its store keeps.
struct ModelProperty {
    /// Its place among the persisted properties of the class, in the order of the source.
    let number: Int
    let declaration: VariableDeclSyntax
    let name: TokenSyntax
    let type: TypeSyntax?
    let initialValue: ExprSyntax?

    /// The name as a string literal has it: without the backticks of a keyword.
    var plainName: String { name.text.filter { $0 != "`" } }
    /// Whether the property is a `let`: the object has its value, and the store a copy.
    var isConstant: Bool { declaration.isConstant }
    /// The name of the empty stored property by which the compiler sees that an initializer has set the property.
    var slotName: String { "_" + plainName }

    /// Whether an initializer must set the property: it has no value without one.
    var needsValue: Bool {
        guard initialValue == nil, let type else { return false }
        return !type.is(OptionalTypeSyntax.self) && !type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
            && !type.trimmedDescription.hasPrefix("Optional<")
    }

    /// The persisted properties among the members of a class.
    static func all(in members: MemberBlockItemListSyntax) -> [ModelProperty] {
        var properties: [ModelProperty] = []
        for member in members {
            guard let declaration = member.decl.as(VariableDeclSyntax.self), isPersisted(declaration),
                let binding = declaration.bindings.first,
                let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier
            else { continue }
            properties.append(
                ModelProperty(
                    number: properties.count, declaration: declaration, name: name,
                    type: binding.typeAnnotation?.type.trimmed, initialValue: binding.initializer?.value.trimmed))
        }
        return properties
    }

    /// Whether a store keeps a variable: it is stored, belongs to the object and is not marked `@Transient`.
    ///
    /// A `let` with a value is the same in all objects, so that no store needs it.
    static func isPersisted(_ declaration: VariableDeclSyntax) -> Bool {
        guard declaration.bindings.count == 1, !declaration.isConstant || !declaration.hasInitialValue,
            declaration.bindings.first?.accessorBlock == nil, !declaration.isTypeMember, !declaration.isLazy
        else { return false }
        return declaration.attribute(named: "Transient") == nil
    }
}

extension VariableDeclSyntax {
    /// Whether it is a `let`.
    var isConstant: Bool { bindingSpecifier.tokenKind == .keyword(.let) }

    var hasInitialValue: Bool { bindings.contains { $0.initializer != nil } }

    /// Whether the variable is `static` or `class`.
    var isTypeMember: Bool {
        modifiers.contains { [.keyword(.static), .keyword(.class)].contains($0.name.tokenKind) }
    }

    var isLazy: Bool { modifiers.contains { $0.name.tokenKind == .keyword(.lazy) } }

    /// The attribute with a name, written with or without its module.
    func attribute(named name: String) -> AttributeSyntax? {
        attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first {
            let written = $0.attributeName.trimmedDescription
            return written == name || written == "SwiftData.\(name)"
        }
    }
}
