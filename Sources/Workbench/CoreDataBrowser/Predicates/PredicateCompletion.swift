import CoreData

/// The completions at the caret of a predicate that the user is typing.
struct PredicateCompletion {
    struct Candidate {
        let text: String
        /// `key`, `operator`, `value`, `variable` or `function`
        let kind: String
        var detail: String?
    }

    /// What the grammar expects after the tokens before the caret.
    enum Place: Equatable {
        case key
        case comparison(key: String?)
        case value(key: String?)
        case connection
    }

    private static let limit = 100
    private static let before = ["NOT", "ANY", "ALL", "NONE", "SUBQUERY(", "TRUEPREDICATE"]

    let place: Place
    /// The typed beginning of the token at the caret.
    let typed: String
    /// The range of characters that a completion replaces.
    let range: Range<Int>
    private let entity: NSEntityDescription

    init(_ text: String, caret: Int, _ entity: NSEntityDescription) {
        self.entity = entity
        let caret = min(max(0, caret), text.count)
        var tokens = HighlightedToken.all(in: text.prefix(caret))
        var last: HighlightedToken?
        if let token = tokens.last, token.range.upperBound == caret {
            switch token.kind {
            case .word, .text(isOpen: true): last = tokens.removeLast()
            default: break
            }
        }
        place = Self.place(after: tokens)
        typed = last?.text ?? ""
        range = (last?.range.lowerBound ?? caret)..<caret
    }

    private static func place(after tokens: [HighlightedToken]) -> Place {
        var place = Place.key
        for token in tokens {
            let word = token.text.uppercased()
            switch (place, token.kind) {
            case (.key, .word) where ["NOT", "ANY", "ALL", "NONE", "SOME"].contains(word): break
            case (.key, .symbol) where token.text == "(" || token.text == "!": break
            case (.key, .word): place = .comparison(key: token.text)
            case (.key, _): place = .comparison(key: nil)
            case (.comparison, .symbol) where token.text.hasPrefix("["): break
            case (.comparison, .word) where word == "NOT": break
            case (.comparison(let key), _): place = .value(key: key)
            case (.value, .symbol) where token.text.hasPrefix("[") || token.text == "{" || token.text == ",": break
            case (.value, _): place = .connection
            case (.connection, _) where ["AND", "OR", "&&", "||"].contains(word): place = .key
            case (.connection, .symbol) where token.text == ",": place = .value(key: nil)
            case (.connection, _): break
            }
        }
        return place
    }

    /// The candidates that begin with the typed text.
    ///
    /// `values` returns stored values of an attribute, for its key path and the beginning of the values.
    /// - Throws: Errors of `values`.
    func candidates(values: (KeyRoute, String) throws -> [String]) rethrows -> [Candidate] {
        let all: [Candidate] =
            switch place {
            case .key: keys + Self.before.map { Candidate(text: $0, kind: $0.hasSuffix("(") ? "function" : "operator") }
            case .comparison(let key): operators(of: key).map { Candidate(text: $0, kind: "operator") }
            case .value(let key): try self.values(of: key, values)
            case .connection: ["AND", "OR"].map { Candidate(text: $0, kind: "operator") }
            }
        let wanted = typed.lowercased()
        return Array(
            all.filter { $0.text.drop { $0 == "\"" }.lowercased().hasPrefix(wanted) && $0.text != typed }
                .prefix(Self.limit))
    }

    private var keys: [Candidate] {
        var owner: NSEntityDescription? = entity
        let steps = typed.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let path = steps.dropLast()
        for (index, key) in path.enumerated() {
            guard let relationship = owner?.relationshipsByName[key] else { return [] }
            let isLast = index == path.count - 1
            if relationship.isToMany, isLast {
                return [
                    Candidate(
                        text: (path + ["@count"]).joined(separator: "."), kind: "key", detail: "number of members")
                ]
                    + Self.keys(of: relationship.destinationEntity, after: Array(path))
            }
            owner = relationship.destinationEntity
        }
        return Self.keys(of: owner, after: Array(path))
    }

    private static func keys(of entity: NSEntityDescription?, after path: [String]) -> [Candidate] {
        let properties = (entity?.propertiesByName ?? [:]).sorted { $0.key < $1.key }
        return properties.compactMap { name, property in
            let detail: String
            switch property {
            case let attribute as NSAttributeDescription: detail = attribute.attributeType.text
            case let relationship as NSRelationshipDescription:
                detail = (relationship.isToMany ? "many " : "") + (relationship.destinationEntity?.name ?? "")
            default: return nil
            }
            return Candidate(text: (path + [name]).joined(separator: "."), kind: "key", detail: detail)
        }
    }

    private func kind(of key: String?) -> AttributeKind? {
        guard let key, let route = try? KeyRoute(key, from: entity) else { return nil }
        switch route.end {
        case .attribute(let attribute), .element(let attribute, _, _): return AttributeKind(attribute)
        case .relationship, .objectID: return .objectID
        case .count: return .integer64
        case .entityName: return nil
        }
    }

    private func operators(of key: String?) -> [String] {
        switch kind(of: key) {
        case .string?, .uri?:
            ["==", "!=", "CONTAINS[cd]", "BEGINSWITH[cd]", "ENDSWITH[cd]", "LIKE[cd]", "MATCHES", "IN", "<", ">"]
        case .boolean?, .uuid?, .binary?, .transformable?: ["==", "!=", "IN"]
        case .objectID?: ["==", "!=", "IN"]
        default: ["==", "!=", "<", "<=", ">", ">=", "BETWEEN", "IN"]
        }
    }

    private func values(of key: String?, _ stored: (KeyRoute, String) throws -> [String]) rethrows -> [Candidate] {
        var texts: [Candidate] = []
        switch kind(of: key) {
        case .boolean?: texts = ["YES", "NO"].map { Candidate(text: $0, kind: "value") }
        case .string?:
            if let key, let route = try? KeyRoute(key, from: entity) {
                texts = try stored(route, typed).map { Candidate(text: Self.quoted($0), kind: "value") }
            }
        default: break
        }
        return texts + [Candidate(text: "nil", kind: "value")]
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
