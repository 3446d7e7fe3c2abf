import SwiftSyntax

extension DeclGroupSyntax {
    /// The access level that members for the library need: that of the type, where it is not visible everywhere.
    var accessForLibrary: String {
        for modifier in modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.public), .keyword(.open): return "public "
            case .keyword(.package): return "package "
            default: continue
            }
        }
        return ""
    }
}
