import CoreDataModeling

/// The properties that the entities and composites of a model source declare, to resolve key paths.
struct DocumentNames {
    /// The entity or composite that declares properties.
    enum Owner: Hashable {
        case entity(String)
        case composite(String)
    }

    struct Property {
        let kind: String
        /// The owner of the next key in a key path: the destination of a relationship or fetched property, or the
        /// composite of an attribute; nil for other attributes.
        let target: Owner?
    }

    private var parents: [String: String] = [:]
    private var properties: [Owner: [String: Property]] = [:]

    init(_ document: ModelDocument) {
        for element in document.root.elements {
            guard let name = element["name"] else { continue }
            switch element.name {
            case "entity":
                parents[name] = element["parentEntity"].flatMap { $0.isEmpty ? nil : $0 }
                properties[.entity(name)] = Self.properties(of: element)
            case "composite": properties[.composite(name)] = Self.properties(of: element)
            default: break
            }
        }
    }

    private static func properties(of element: ModelElement) -> [String: Property] {
        var properties: [String: Property] = [:]
        for inner in element.elements where ["attribute", "relationship", "fetchedProperty"].contains(inner.name) {
            let target =
                inner["destinationEntity"].map(Owner.entity) ?? inner["composite"].map(Owner.composite)
                ?? inner.elements.first { $0.name == "fetchRequest" }?["entity"].map(Owner.entity)
            properties[inner["name"] ?? ""] = Property(kind: inner.name, target: target)
        }
        return properties
    }

    /// The entity, its parent, and so on up to its root entity; stops at an entity that occurs again.
    func lineage(of entity: String) -> [String] {
        var line = [entity]
        var seen: Set<String> = [entity]
        while let parent = parents[line[line.count - 1]], seen.insert(parent).inserted { line.append(parent) }
        return line
    }

    func isKind(_ entity: String, of other: String) -> Bool { lineage(of: entity).contains(other) }

    /// The names of all direct and indirect subentities of an entity, sorted.
    func heirs(of entity: String) -> [String] {
        parents.keys.filter { $0 != entity && isKind($0, of: entity) }.sorted()
    }

    /// The property with a name that an owner declares or inherits, and the owner that declares it; nil without one.
    func property(_ name: String, of owner: Owner) -> (owner: Owner, property: Property)? {
        let line: [Owner]
        if case .entity(let entity) = owner { line = lineage(of: entity).map(Owner.entity) } else { line = [owner] }
        for owner in line { if let property = properties[owner]?[name] { return (owner, property) } }
        return nil
    }

    /// The names of the properties that an entity declares or inherits, sorted.
    func propertyNames(of entity: String) -> [String] {
        lineage(of: entity).flatMap { properties[.entity($0)].map { Array($0.keys) } ?? [] }.sorted()
    }
}
