import CoreData

/// What a mapping does, for people: the places of records, their entities, and where each property comes from.
extension ImportMapping {
    /// `[{"at", "entity", "properties": [{"name", "from", "properties"}]}]`
    var report: JSONValue { .array(records.map(\.report)) }
}

extension ImportMapping.Records {
    fileprivate var report: JSONValue {
        .object([
            ("at", .string(place.text)), ("entity", .text(entityText)),
            ("properties", .array(properties.map(\.report))),
        ])
    }

    private var entityText: String? {
        switch entity {
        case .named(let name): name
        case .destination: nil
        case .byValue(_, let words): Set(words.values).sorted().joined(separator: ", ")
        }
    }
}

extension ImportMapping.Property {
    fileprivate var report: JSONValue {
        let from =
            switch source {
            case .paths(let paths): paths.map(\.text).joined(separator: ", ")
            case .constant(let text): text
            case .documentURL: "$url"
            case .index: "$index"
            }
        var members: [(String, JSONValue)] = [("name", .string(name)), ("from", .string(from))]
        if case .related(let related) = content, case .members(let inner) = related.report {
            members.append(("properties", inner.first { $0.key == "properties" }?.value ?? .null))
        }
        return .object(members)
    }
}
