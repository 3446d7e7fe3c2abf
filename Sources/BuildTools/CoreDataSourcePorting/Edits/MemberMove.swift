import SwiftSyntax

/// A member that moves from an extension into the body of its class.
struct MemberMove {
    let type: String
    /// The member with its comments.
    let range: Range<Int>
    let declaration: DeclSyntax
    /// The access modifier of the extension: `public`, `package` or `internal`; nil if it has none of these.
    let access: String?
}
