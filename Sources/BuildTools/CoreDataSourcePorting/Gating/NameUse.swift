import SwiftSyntax

/// A name in a source where something of that name is used: a type, a value, a function or a member.
struct NameUse {
    enum Kind: Equatable {
        /// The name alone.
        case plain
        /// A member of what is before the dot, as it is written; empty for a dot alone.
        case member(of: String)
    }

    let token: TokenSyntax
    let name: String
    let kind: Kind
    /// The name of the type around it.
    let type: String?

    /// Nil for a token that is not a name, or is the name of what is declared there or of an argument.
    init?(_ token: TokenSyntax, in type: String?) {
        guard case .identifier(let name) = token.tokenKind, let kind = Self.kind(of: token) else { return nil }
        (self.token, self.name, self.kind, self.type) = (token, name, kind, type)
    }

    private static func kind(of token: TokenSyntax) -> Kind? {
        guard let parent = token.parent else { return nil }
        if parent.is(IdentifierTypeSyntax.self) { return .plain }
        if let member = parent.as(MemberTypeSyntax.self) { return .member(of: member.baseType.trimmedDescription) }
        guard parent.is(DeclReferenceExprSyntax.self) else { return nil }
        guard let access = parent.parent?.as(MemberAccessExprSyntax.self), access.declName.id == parent.id else {
            return .plain
        }
        return .member(of: access.base?.trimmedDescription ?? "")
    }
}
