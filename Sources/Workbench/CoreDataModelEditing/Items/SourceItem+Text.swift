extension SourceItem: CustomStringConvertible {
    /// The text that names the item in edits, which `init(_:)` parses.
    package var description: String {
        switch self {
        case .model: "."
        case .entity(let name): name
        case .property(let name, let entity): "\(entity).\(name)"
        case .index(let name, let entity): "\(entity)/indexes/\(name)"
        case .constraint(let names, let entity): "\(entity)/constraints/\(names.joined(separator: ","))"
        case .fetchRequest(let name): "requests/\(name)"
        case .configuration(let name): "configurations/\(name)"
        case .member(let name, let configuration): "configurations/\(configuration)/\(name)"
        case .composite(let name): "composites/\(name)"
        case .element(let name, let composite): "composites/\(composite).\(name)"
        case .userInfo(let key, let owner): "\(owner)/user-info/\(key)"
        }
    }

    /// Parses the text that names an item, by the table of `SourceItem`; the item need not exist.
    ///
    /// - Throws: `ModelEditError` of code `malformedEdit` for an invalid text.
    package init(_ text: String) throws {
        guard let item = Self.item(text) else {
            throw ModelEditError(
                .malformedEdit, subject: "'\(text)'", cause: "this names no item of a model",
                hint: "write Entity, Entity.property, Entity/indexes/NAME, Entity/constraints/A,B, "
                    + "Entity/user-info/KEY, requests/NAME, configurations/NAME, composites/NAME or .")
        }
        self = item
    }

    private static func item(_ text: String) -> SourceItem? {
        guard text != "." else { return .model }
        if let found = text.range(of: "/user-info/") {
            let key = String(text[found.upperBound...])
            guard let owner = item(String(text[..<found.lowerBound])), !key.isEmpty else { return nil }
            return .userInfo(key, of: owner)
        }
        let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard !parts.contains("") else { return nil }
        switch (parts[0], parts.count) {
        case ("requests", 2...): return .fetchRequest(parts.dropFirst().joined(separator: "/"))
        case ("configurations", 2): return .configuration(parts[1])
        case ("configurations", 3): return .member(parts[2], configuration: parts[1])
        case ("composites", 2):
            let (owner, name) = split(parts[1])
            guard let name else { return .composite(owner) }
            return name.isEmpty || owner.isEmpty ? nil : .element(name, composite: owner)
        case (_, 1):
            let (owner, name) = split(parts[0])
            guard let name else { return .entity(owner) }
            return name.isEmpty || owner.isEmpty ? nil : .property(name, entity: owner)
        case (_, 3): return part(parts[1], named: parts[2], of: parts[0])
        default: return nil
        }
    }

    private static func part(_ list: String, named name: String, of entity: String) -> SourceItem? {
        switch list {
        case "indexes": return .index(name, entity: entity)
        case "constraints":
            let names = OptionText.names(name)
            return names.isEmpty ? nil : .constraint(names, entity: entity)
        default: return nil
        }
    }

    /// The text before the first `.`, and the text after it; nil without a `.`.
    private static func split(_ text: String) -> (String, String?) {
        guard let point = text.firstIndex(of: ".") else { return (text, nil) }
        return (String(text[..<point]), String(text[text.index(after: point)...]))
    }
}

/// Parses lists of names in options and items.
enum OptionText {
    /// The names in a list, which are separated by commas; ignores spaces around names and empty names.
    static func names(_ text: String) -> [String] {
        text.split(separator: ",").map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
            .filter { !$0.isEmpty }
    }
}
