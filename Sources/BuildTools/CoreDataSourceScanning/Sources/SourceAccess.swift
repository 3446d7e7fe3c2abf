import SwiftSyntax

/// Who may see a declaration, the fewest first.
package enum SourceAccess: Int, Comparable, Sendable {
    case `private`, `fileprivate`, `internal`, package, `public`, open

    package static func < (one: SourceAccess, other: SourceAccess) -> Bool { one.rawValue < other.rawValue }

    /// The word that a source has for it.
    package var keyword: String {
        switch self {
        case .private: "private"
        case .fileprivate: "fileprivate"
        case .internal: "internal"
        case .package: "package"
        case .public: "public"
        case .open: "open"
        }
    }

    /// Nil for a modifier that is about something else.
    private init?(_ keyword: Keyword) {
        switch keyword {
        case .private: self = .private
        case .fileprivate: self = .fileprivate
        case .internal: self = .internal
        case .package: self = .package
        case .public: self = .public
        case .open: self = .open
        default: return nil
        }
    }
}

extension SourceAccess {
    /// What the modifiers of a declaration say of reading it; nil where they say nothing.
    init?(_ modifiers: DeclModifierListSyntax) {
        self.init(modifiers) { $0.detail == nil }
    }

    /// What `private(set)` and its like say of setting it.
    init?(settingBy modifiers: DeclModifierListSyntax) {
        self.init(modifiers) { $0.detail?.detail.text == "set" }
    }

    private init?(_ modifiers: DeclModifierListSyntax, where isWanted: (DeclModifierSyntax) -> Bool) {
        for modifier in modifiers where isWanted(modifier) {
            guard case .keyword(let keyword) = modifier.name.tokenKind, let access = SourceAccess(keyword) else {
                continue
            }
            self = access
            return
        }
        return nil
    }
}
