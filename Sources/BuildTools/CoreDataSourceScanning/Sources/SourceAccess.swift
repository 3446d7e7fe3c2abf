import SwiftSyntax

/// The access levels, the most restrictive first.
package enum SourceAccess: Int, Comparable, Sendable {
    case `private`, `fileprivate`, `internal`, package, `public`, open

    package static func < (one: SourceAccess, other: SourceAccess) -> Bool { one.rawValue < other.rawValue }

    /// The keyword of the access level.
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

    /// Returns nil for a keyword that is not an access level.
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
    /// The access level in a declaration's modifiers; nil if none is written.
    init?(_ modifiers: DeclModifierListSyntax) {
        self.init(modifiers) { $0.detail == nil }
    }

    /// The access level of the setter, as in `private(set)`; nil if none is written.
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
