import CoreData

/// A key path that was checked against the model: to-one relationships, then a property or the count of a to-many
/// relationship.
package struct KeyRoute {
    package enum End {
        case attribute(NSAttributeDescription)
        /// An element of a composite attribute, and the names on the path to it: `color.red`.
        case element(NSAttributeDescription, path: [String], of: NSAttributeDescription)
        case relationship(NSRelationshipDescription)
        /// The number of members of a to-many relationship: `pages.@count`.
        case count(NSRelationshipDescription)
        case objectID
        case entityName
    }

    /// The path as given.
    package let text: String
    package let end: End
    private let steps: [NSRelationshipDescription]

    /// Resolves a path from an entity.
    ///
    /// - Throws: `InspectionError` of code `unknownKey`, with the nearest key if a step is unknown.
    package init(_ text: String, from entity: NSEntityDescription) throws {
        self.text = text
        var keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
        var steps: [NSRelationshipDescription] = []
        var owner = entity
        while let key = keys.popFirst() {
            let found = try Self.end(key, of: owner, path: text)
            guard !keys.isEmpty else {
                self.steps = steps
                end = found
                return
            }
            if case .attribute(let composite as NSCompositeAttributeDescription) = found {
                self.steps = steps
                end = try Self.element(Array(keys), of: composite, path: text)
                return
            }
            guard case .relationship(let relationship) = found, let target = relationship.destinationEntity else {
                throw Self.error(
                    text, "'\(key)' of \(owner.name ?? "") is not a relationship, so nothing can follow it")
            }
            guard !relationship.isToMany else {
                guard keys == ["@count"] else {
                    throw Self.error(text, "'\(key)' of \(owner.name ?? "") is to-many; only '.@count' can follow it")
                }
                self.steps = steps
                end = .count(relationship)
                return
            }
            steps.append(relationship)
            owner = target
        }
        throw Self.error(text, "the path is empty")
    }

    private static func end(_ key: String, of entity: NSEntityDescription, path: String) throws -> End {
        switch entity.propertiesByName[key] {
        case let attribute as NSAttributeDescription: return .attribute(attribute)
        case let relationship as NSRelationshipDescription: return .relationship(relationship)
        case is NSFetchedPropertyDescription: throw error(path, "'\(key)' is a fetched property, which is not shown")
        default: break
        }
        if key == "objectID" { return .objectID }
        if key == "entity" { return .entityName }
        throw unknown(key, of: entity, path: path)
    }

    /// Resolves the names that follow a composite attribute.
    private static func element(
        _ path: [String], of composite: NSCompositeAttributeDescription, path text: String
    ) throws -> End {
        let leaves = CompositeCoding.leaves(of: composite)
        if let leaf = leaves.first(where: { $0.path == path }) {
            return .element(leaf.attribute, path: path, of: composite)
        }
        let near = NameSuggestion(
            for: path.joined(separator: "."), in: leaves.map { $0.path.joined(separator: ".") })
        throw error(
            text,
            "the composite '\(composite.name)' has no element '\(PrintableText.escaped(path.joined(separator: "."), limit: 80))'",
            hint: near?.question { "'\(composite.name).\($0)'" })
    }

    /// The error for a key that an entity does not have.
    package static func unknown(_ key: String, of entity: NSEntityDescription, path: String) -> InspectionError {
        let near = NameSuggestion(for: key, in: entity.propertiesByName.keys)
        let name = PrintableText.escaped(key, limit: 80)
        let below = entity.subentitiesByName.values.first { $0.propertiesByName[key] != nil }?.name
        return error(
            path, "entity '\(entity.name ?? "")' has no property '\(name)'",
            hint: near?.question ?? below.map { "its sub-entity '\($0)' has it" })
    }

    private static func error(_ path: String, _ cause: String, hint: String? = nil) -> InspectionError {
        InspectionError(.unknownKey, subject: PrintableText.escaped(path, limit: 80), cause: cause, hint: hint)
    }

    /// Reads the path from an object; null if a relationship on the path is null.
    func read(_ object: NSManagedObject, with reader: PropertyReader) -> PropertyReading {
        var owner = object
        for step in steps {
            guard let target = reader.target(of: step, from: owner) else { return .null }
            owner = target
        }
        switch end {
        case .attribute(let attribute): return reader.read(attribute, of: owner)
        case .element(let element, let path, let composite):
            return reader.read(composite, of: owner).element(at: path, as: AttributeKind(element))
        case .relationship(let relationship): return reader.read(relationship, of: owner)
        case .objectID: return .object(owner.objectID)
        case .entityName: return .text(owner.entity.name ?? "")
        case .count(let relationship):
            guard case .objects(let ids, _) = reader.read(relationship, of: owner) else { return .null }
            return .value(NSNumber(value: ids.count), .integer64)
        }
    }

    /// The attribute at the end, or the element of a composite one.
    package var attribute: NSAttributeDescription? {
        switch end {
        case .attribute(let attribute), .element(let attribute, _, _): attribute
        default: nil
        }
    }

    /// Whether the path is a single key.
    package var isDirect: Bool {
        if case .element = end { return false }
        return steps.isEmpty
    }

    /// Whether the path is the object's identifier or entity name, which every record contains anyway.
    package var isIdentity: Bool {
        switch end {
        case .objectID, .entityName: isDirect
        default: false
        }
    }

    /// Whether the end is a relationship.
    package var isRelationship: Bool {
        if case .relationship = end { true } else { false }
    }

    /// Whether the end is an object's identifier.
    package var isObjectID: Bool {
        if case .objectID = end { true } else { false }
    }

    /// Whether values at the end are numbers.
    package var isNumber: Bool {
        switch end {
        case .count: true
        case .attribute(let attribute), .element(let attribute, _, _):
            [.integer16, .integer32, .integer64, .double, .float, .decimal].contains(AttributeKind(attribute))
        default: false
        }
    }
}

extension KeyRoute {
    /// The default columns of a list of an entity's objects: the identifier, stored attributes and to-one
    /// relationships, by name.
    package static func columns(of entity: NSEntityDescription) throws -> [KeyRoute] {
        let toOne = entity.relationshipsByName.filter { !$0.value.isToMany }
        let stored = entity.attributesByName.filter { !$0.value.isTransient }
        let names = stored.keys.sorted() + toOne.keys.sorted()
        return try (["objectID"] + names).map { try KeyRoute($0, from: entity) }
    }
}
