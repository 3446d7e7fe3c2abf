import CoreData

/// The columns of a list: which properties it shows of each object.
struct ListColumns {
    /// The most columns of a list for which none are chosen; an entity may have thousands of attributes.
    private static let usualLimit = 60
    private static let greatestLimit = 200

    let routes: [KeyRoute]
    /// Sentences about the columns that were left out.
    let notes: [String]

    /// The first 200 key paths in `text`; if there are none, the first 60 non-transient attributes and relationships.
    ///
    /// - Throws: `InspectionError` of code `unknownKey`.
    init(_ text: String?, of entity: NSEntityDescription) throws {
        let chosen = ObjectQuery.list(text)
        guard chosen.isEmpty else {
            routes = try chosen.prefix(Self.greatestLimit).map { try KeyRoute($0, from: entity) }
            notes = Self.notes(chosen.count, Self.greatestLimit)
            return
        }
        let stored = entity.attributesByName.values.filter { !$0.isTransient }.map(\.name).sorted()
        let related = entity.relationshipsByName.values.filter { !$0.isTransient }
        let toOne = related.filter { !$0.isToMany }.map(\.name).sorted()
        let all = stored + toOne + related.filter(\.isToMany).map(\.name).sorted()
        routes = try all.prefix(Self.usualLimit).map { try KeyRoute($0, from: entity) }
        notes = Self.notes(all.count, Self.usualLimit)
    }

    private static func notes(_ count: Int, _ limit: Int) -> [String] {
        count <= limit ? [] : ["\(count - limit) more columns are left out"]
    }

    /// The names of the to-one relationships among the columns, which are prefetched because the labels of their
    /// objects are shown.
    var prefetched: [String] {
        routes.filter { $0.toMany == nil && $0.isRelationship && !$0.text.contains(".") }.map(\.text)
    }

    /// The to-many relationships among the columns, whose members are counted.
    var counted: [NSRelationshipDescription] { routes.compactMap(\.toMany) }

    /// `[{"key", "type", "destination", "toMany"}]`
    var json: JSONValue {
        .array(
            routes.map { route in
                var members: [(String, JSONValue)] = [("key", .string(route.text)), ("type", .string(route.typeName))]
                if case .relationship(let relationship) = route.end {
                    members.append(("destination", .text(relationship.destinationEntity?.name)))
                    members.append(("toMany", .bool(relationship.isToMany)))
                }
                return .object(members)
            })
    }
}

extension KeyRoute {
    /// The to-many relationship that the path names, if it is a single key; nil otherwise.
    var toMany: NSRelationshipDescription? {
        guard !text.contains("."), case .relationship(let relationship) = end, relationship.isToMany else { return nil }
        return relationship
    }

    fileprivate var typeName: String {
        switch end {
        case .attribute(let attribute), .element(let attribute, _, _): "\(AttributeKind(attribute))"
        case .relationship: "relationship"
        case .count: "integer64"
        case .objectID: "objectID"
        case .entityName: "string"
        }
    }
}
