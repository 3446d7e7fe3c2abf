import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@_PersistedProperty(number)`, which `@Model` adds to a persisted property: accessors that read and write the
/// model's storage, and an empty stored property by which the compiler sees that an initializer has set the property.
/// `@_PersistedMember(number)` is the same in a class that may have a superclass, whose properties come first.
struct PersistedPropertyMacro: AccessorMacro, PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let property = property(declaration), let number = node.arguments?.trimmedDescription else { return [] }
        let isMember = node.attributeName.trimmedDescription.hasSuffix("_PersistedMember")
        let (storage, place) = isMember ? ("_$own", "Self._$base + \(number)") : ("_$storage", number)
        return [
            """
            @storageRestrictions(accesses: \(raw: storage), initializes: \(raw: property.slotName))
            init(initialValue) {
                \(raw: storage).initialize(\(raw: number), to: initialValue)
                \(raw: property.slotName) = SwiftData.PersistedSlot()
            }
            """,
            """
            get {
                SwiftData.persistedValue(
                    \(raw: storage)._reference, \(raw: place), \(raw: storage).value(\(raw: place)))
            }
            """,
            "set { \(raw: storage).setValue(\(raw: place), to: newValue) }",
        ]
    }

    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let property = property(declaration) else { return [] }
        return ["private var \(raw: property.slotName): SwiftData.PersistedSlot"]
    }

    private static func property(_ declaration: some DeclSyntaxProtocol) -> ModelProperty? {
        guard let variable = declaration.as(VariableDeclSyntax.self) else { return nil }
        return ModelProperty.all(in: [MemberBlockItemSyntax(decl: variable)]).first
    }
}
