import CoreDataFoundation

/// How the value of a derived attribute is computed.
///
/// Parsed from either text that models contain: that of the editor (`pages.@count`) or that of compiled models
/// (`count:(pages)`). Source of the supported forms: Apple's page on `NSDerivedAttributeDescription`.
package enum Derivation: Sendable, Equatable {
    /// The number of objects of a to-many relationship.
    case count(relationship: String)
    /// A value computed from an attribute of all objects of a to-many relationship.
    case aggregate(Aggregate, relationship: String, attribute: String)
    /// The value at the end of a path over to-one relationships.
    case copy(path: [String])
    /// A function (`canonical`, `uppercase`, `lowercase`) of the value at the end of such a path.
    case function(name: String, path: [String])
    /// The time of the last save.
    case now
    /// Anything else, as its text.
    case other(String)

    /// The function that computes the value; the raw value is the operator of key paths.
    package enum Aggregate: String, Sendable {
        case sum = "@sum"
        case least = "@min"
        case greatest = "@max"
        case average = "@avg"
    }

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
        if path.count == 2, let aggregate = aggregates[String(name)] {
            return .aggregate(aggregate, relationship: path[0], attribute: path[1])
        }
        switch (name, path.count) {
        case ("count", 1): return .count(relationship: path[0])
        case ("canonical", _), ("uppercase", _), ("lowercase", _): return .function(name: String(name), path: path)
        default: return .other(text)
        }
    }

    /// The aggregates by the names of operators and of the functions in compiled models.
    private static let aggregates: [String: Aggregate] = [
        "sum": .sum, "min": .least, "max": .greatest, "avg": .average, "average": .average,
    ]

    private static func path(_ text: Substring) -> [String]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        }
        return isPlain ? parts.map(String.init) : nil
    }
}
