import CoreData

/// That an attribute has a kind, with what the kind needs to know of it.
package struct KindUse: Hashable, Sendable {
    /// Who says that an attribute has a kind. A person's choice counts more than the model's word, and that more than a guess.
    package enum Origin: String, Sendable {
        /// The names, types and values of attributes suggest it.
        case guess
        /// The user info of the model's attribute names it.
        case model
        /// A person has chosen it in the page.
        case choice
    }

    /// The name of the kind.
    package let kind: String
    /// The key path of the attribute: of two keys for an element of a composite attribute.
    package let key: String
    package let origin: Origin
    /// Key paths of further attributes by their part, such as `longitude` or `currency`.
    package var others: [String: String] = [:]
    /// What else the kind has to know, such as the unit of a duration.
    package var parameters: [String: String] = [:]

    /// That a person has said that an attribute has no kind.
    package static func none(_ key: String) -> KindUse {
        KindUse(kind: KindParameters.none, key: key, origin: .choice)
    }

    /// All key paths, that of the attribute first.
    package var keys: [String] { [key] + others.values.sorted() }

    package var json: JSONValue {
        .object([
            ("kind", .string(kind)), ("key", .string(key)), ("origin", .string(origin.rawValue)),
            ("others", .sorted(others.mapValues { .string($0) })),
            ("parameters", .sorted(parameters.mapValues { .string($0) })),
        ])
    }
}

/// What a model says of the kind of an attribute, in its user info: `valueKind`, and `valueKind.NAME` for each parameter.
///
/// User info is not covered by version hashes, so that a store stays compatible when a kind is named.
package struct KindParameters: Sendable {
    /// The key of user info that names a kind.
    package static let userInfoKey = "valueKind"
    /// The name that says that an attribute has no kind, which ends all guesses about it.
    package static let none = "none"

    /// The name of the kind; nil if the model names none.
    package let kind: String?
    private let values: [String: String]

    package init(kind: String?, _ values: [String: String] = [:]) { (self.kind, self.values) = (kind, values) }

    /// What the user info of an attribute says.
    package init(_ attribute: NSAttributeDescription) {
        let prefix = Self.userInfoKey + "."
        var values: [String: String] = [:]
        for (key, value) in attribute.userInfo ?? [:] {
            guard let key = key as? String, key.hasPrefix(prefix), let value = value as? String else { continue }
            values[String(key.dropFirst(prefix.count))] = value
        }
        self.init(kind: attribute.userInfo?[Self.userInfoKey] as? String, values)
    }

    package subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
}
