import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@_PersistedProperty(number)`, which `@Model` adds to a persisted property: accessors that read and write the
/// model's storage, and an empty stored property by which the compiler sees that an initializer has set the property.
struct PersistedPropertyMacro: AccessorMacro, PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let property = property(declaration), let number = node.arguments?.trimmedDescription else { return [] }
        return [
            """
            @storageRestrictions(accesses: _$storage, initializes: \(raw: property.slotName))
            init(initialValue) {
                _$storage.initialize(\(raw: number), to: initialValue)
                \(raw: property.slotName) = SwiftData.PersistedSlot()
            }
            """,
            "get { _$storage.value(\(raw: number)) }",
            "set { _$storage.setValue(\(raw: number), to: newValue) }",
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
