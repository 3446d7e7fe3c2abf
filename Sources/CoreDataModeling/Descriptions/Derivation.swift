import CoreDataFoundation

/// How the value of a derived attribute comes about.
///
/// Read from both texts that models hold: that of the editor (`pages.@count`) and that of compiled models
/// (`count:(pages)`). Source of the supported forms: Apple's page on `NSDerivedAttributeDescription`.
package enum Derivation: Sendable, Equatable {
    /// The number of objects of a to-many relationship.
    case count(relationship: String)
    /// The sum of an attribute of a to-many relationship's objects.
    case sum(relationship: String, attribute: String)
    /// The value at the end of a path over to-one relationships.
    case copy(path: [String])
    /// A function (`canonical`, `uppercase`, `lowercase`) of that value.
    case function(name: String, path: [String])
    /// The time of the last save.
    case now
    /// Anything else, as its text.
    case other(String)

    package init(text: String) {
        let text = DerivationText.canonical(text)
        if text == "now()" {
            self = .now
        } else if let open = text.firstIndex(of: "("), text.last == ")" {
            self = Self.call(text, open)
        } else {
            self = Self.path(text[...]).map(Derivation.copy) ?? .other(text)
        }
    }

    private static func call(_ text: String, _ open: String.Index) -> Derivation {
        let name = text[..<open].hasSuffix(":") ? text[..<open].dropLast() : text[..<open]
        let path = Self.path(text[text.index(after: open)...].dropLast())
        guard let path else { return .other(text) }
        switch (name, path.count) {
        case ("count", 1): return .count(relationship: path[0])
        case ("sum", 2): return .sum(relationship: path[0], attribute: path[1])
        case ("canonical", _), ("uppercase", _), ("lowercase", _): return .function(name: String(name), path: path)
        default: return .other(text)
        }
    }

    private static func path(_ text: Substring) -> [String]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        }
        return isPlain ? parts.map(String.init) : nil
    }
}
