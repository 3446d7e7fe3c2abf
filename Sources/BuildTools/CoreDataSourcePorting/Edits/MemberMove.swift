import SwiftSyntax

/// A member that moves from an extension into the body of its class.
struct MemberMove {
    let type: String
    /// The member with its comments.
    let range: Range<Int>
    let declaration: DeclSyntax
    /// What the extension says of the access of its members.
    let access: String?
}
