import CoreData

/// A dotted path of keys, checked along the model: to-one relationships, then a property or the number of a to-many one.
package struct KeyRoute {
    package enum End {
        case attribute(NSAttributeDescription)
        case relationship(NSRelationshipDescription)
        /// The number of members of a to-many relationship: `pages.@count`.
        case count(NSRelationshipDescription)
        case objectID
        case entityName
    }

    /// The path as it was written.
    package let text: String
    package let end: End
    private let steps: [NSRelationshipDescription]

    /// Follows a path from an entity.
    ///
    /// - Throws: `InspectionError` of code `unknownKey` with the nearest key where a step is unknown.
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
            guard case .relationship(let relationship) = found, let target = relationship.destinationEntity else {
                throw Self.error(text, "'\(key)' of \(owner.name ?? "") is no relationship, so nothing can follow it")
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

    /// The error for a key that an entity does not have.
    static func unknown(_ key: String, of entity: NSEntityDescription, path: String) -> InspectionError {
        let near = closestName(to: key, in: entity.propertiesByName.keys)
        let name = PrintableText.escaped(key, limit: 80)
        let below = entity.subentitiesByName.values.first { $0.propertiesByName[key] != nil }?.name
        return error(
            path, "entity '\(entity.name ?? "")' has no property '\(name)'",
            hint: near.map { "did you mean '\($0)'?" } ?? below.map { "its sub-entity '\($0)' has it" })
    }

    private static func error(_ path: String, _ cause: String, hint: String? = nil) -> InspectionError {
        InspectionError(.unknownKey, PrintableText.escaped(path, limit: 80), cause, hint: hint)
    }

    /// Reads the path from an object; null where a relationship on the way leads nowhere.
    func read(_ object: NSManagedObject, with reader: PropertyReader) -> PropertyReading {
        var owner = object
        for step in steps {
            guard let target = reader.target(of: step, from: owner) else { return .null }
            owner = target
        }
        switch end {
        case .attribute(let attribute): return reader.read(attribute, of: owner)
        case .relationship(let relationship): return reader.read(relationship, of: owner)
        case .objectID: return .object(owner.objectID)
        case .entityName: return .text(owner.entity.name ?? "")
        case .count(let relationship):
            guard case .objects(let ids, _) = reader.read(relationship, of: owner) else { return .null }
            return .value(NSNumber(value: ids.count), .integer64)
        }
    }

    /// Whether the path has one step.
    var isDirect: Bool { steps.isEmpty }

    /// Whether the path is one of those that every record has anyway.
    var isIdentity: Bool {
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
        case .attribute(let attribute):
            [.integer16, .integer32, .integer64, .double, .float, .decimal].contains(AttributeKind(attribute))
        default: false
        }
    }
}

extension KeyRoute {
    /// What a list of an entity's objects shows: the identifier, stored attributes and to-one relationships, by name.
    package static func columns(of entity: NSEntityDescription) throws -> [KeyRoute] {
        let toOne = entity.relationshipsByName.filter { !$0.value.isToMany }
        let stored = entity.attributesByName.filter { !$0.value.isTransient }
        let names = stored.keys.sorted() + toOne.keys.sorted()
        return try (["objectID"] + names).map { try KeyRoute($0, from: entity) }
    }
}
