import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Model`: the storage, the initializer and the table of properties of a class, its conformances, and the accessors
/// of its persisted properties.
struct ModelMacro {}

extension ModelMacro: MemberMacro {
    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let model = declaration.as(ClassDeclSyntax.self) else {
            context.diagnose(ModelDiagnostics.notClass(declaration, attribute: node))
            return []
        }
        let properties = ModelProperty.all(in: model.memberBlock.members)
        ModelDiagnostics.members(of: model, properties).forEach(context.diagnose)
        // A class that has the conformance already has it from its superclass.
        let inherits = !protocols.contains { $0.trimmedDescription.hasSuffix("PersistentModel") }
        let members = ModelMembers(model, properties, superclass: inherits ? model.superclass : nil)
        return members.storage + members.initializer + [
            """
            \(raw: members.typeMember) schemaMetadata: [SwiftData.Schema.PropertyMetadata] {
                [\(raw: properties.map { metadata(of: $0, in: model) }.joined(separator: ",\n    "))]
            }
            """,
            """
            \(raw: members.typeMember) schemaAnnotations: [any SwiftData.SchemaAnnotation] {
                [\(raw: annotations(of: model).joined(separator: ",\n    "))]
            }
            """,
        ]
    }

    private static func metadata(of property: ModelProperty, in model: ClassDeclSyntax) -> String {
        let annotation = ["Attribute", "Relationship"].lazy.compactMap { kind in
            property.declaration.attribute(named: kind).map { (kind, $0) }
        }.first
        let metadata = annotation.map { kind, attribute in
            "SwiftData.Schema.\(kind)(\(attribute.arguments?.trimmedDescription ?? ""))"
        }
        let value = property.initialValue?.trimmedDescription ?? "nil"
        let path = "\\\(model.name.text).\(property.name.text)"
        return "SwiftData.Schema.PropertyMetadata(name: \"\(property.plainName)\", keypath: \(path), "
            + "defaultValue: SwiftData.defaultValue(of: \(path), \(value)), metadata: \(metadata ?? "nil")"
            + (property.isConstant ? ", isConstant: true)" : ")")
    }

    /// The indexes and constraints that `#Index` and `#Unique` declare in the body of the class.
    private static func annotations(of model: ClassDeclSyntax) -> [String] {
        model.memberBlock.members.compactMap { member in
            guard let expansion = member.decl.as(MacroExpansionDeclSyntax.self),
                ["Index", "Unique"].contains(expansion.macroName.text)
            else { return nil }
            let root = expansion.genericArgumentClause?.trimmedDescription ?? "<\(model.name.text)>"
            return "SwiftData.Schema.\(expansion.macroName.text)\(root)(\(expansion.arguments.trimmedDescription))"
        }
    }
}

extension ModelMacro: MemberAttributeMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        guard declaration.is(ClassDeclSyntax.self), let variable = member.as(VariableDeclSyntax.self),
            ModelProperty.isPersisted(variable), !variable.isConstant,
            let name = variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier.text,
            let property = ModelProperty.all(in: declaration.memberBlock.members).first(where: { $0.name.text == name })
        else { return [] }
        let kind = ModelMembers.isAlone(declaration) ? "_PersistedProperty" : "_PersistedMember"
        return ["@SwiftData.\(raw: kind)(\(raw: property.number))"]
    }
}

extension ModelMacro: ExtensionMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard declaration.is(ClassDeclSyntax.self), !protocols.isEmpty else { return [] }
        return [
            try ExtensionDeclSyntax("extension \(type.trimmed): SwiftData.PersistentModel, Observation.Observable {}")
        ]
    }
}
