import SwiftSyntax

/// A use of a name in a source: of a type, a value, a function or a member.
struct NameUse {
    enum Kind: Equatable {
        /// The name alone.
        case plain
        /// A member, with the expression before the dot as written; empty for a leading dot.
        case member(of: String)
    }

    let token: TokenSyntax
    let name: String
    let kind: Kind
    /// The name of the type around it.
    let type: String?

    /// Returns nil for a token that is not an identifier, is the name of a declaration, or is an argument label.
    init?(_ token: TokenSyntax, in type: String?) {
        guard case .identifier(let name) = token.tokenKind, let kind = Self.kind(of: token) else { return nil }
        (self.token, self.name, self.kind, self.type) = (token, name, kind, type)
    }

    private static func kind(of token: TokenSyntax) -> Kind? {
        guard let parent = token.parent else { return nil }
        if parent.is(IdentifierTypeSyntax.self) { return .plain }
        if parent.as(MacroExpansionExprSyntax.self)?.macroName.id == token.id
            || parent.as(MacroExpansionDeclSyntax.self)?.macroName.id == token.id
        {
            return .plain
        }
        if let member = parent.as(MemberTypeSyntax.self) { return .member(of: member.baseType.trimmedDescription) }
        guard parent.is(DeclReferenceExprSyntax.self) else { return nil }
        guard let access = parent.parent?.as(MemberAccessExprSyntax.self), access.declName.id == parent.id else {
            return .plain
        }
        return .member(of: access.base?.trimmedDescription ?? "")
    }
}
