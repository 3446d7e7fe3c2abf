import CoreData

/// What an import needs to know of one entity, found out once.
final class ImportEntity {
    enum Property {
        case attribute(NSAttributeDescription)
        case relationship(NSRelationshipDescription)
        /// It is computed from others, or not stored.
        case made(NSPropertyDescription)
    }

    let description: NSEntityDescription
    let properties: [String: Property]
    /// The relationships that must have members.
    let demanding: [NSRelationshipDescription]
    /// How its new objects become rows; nil where they have to be objects first.
    let rows: ImportRowForm?
    /// The elements of its composite attributes.
    let elements: ImportElements
    /// The attributes in uniqueness constraints.
    let constrained: Set<String>
    /// The errors of keys that the entity does not have, as far as they have come.
    private var unknown: [String: InspectionError] = [:]
    private let matching: Result<[MatchScope], any Error>

    /// - Throws: `InspectionError` for an abstract entity.
    init(_ entity: NSEntityDescription, rule: MatchRule?, in store: OpenStore, model: ModelLayout) throws {
        guard !entity.isAbstract else {
            let below = store.entities.filter { $0 !== entity && !$0.isAbstract && $0.isKindOf(entity: entity) }
            let names = below.prefix(10).compactMap(\.name).joined(separator: ", ")
            throw InspectionError(
                .badValue, subject: entity.name ?? "", cause: "the entity is abstract, so it has no objects of its own",
                hint: names.isEmpty ? nil : "import objects of one of: \(names)")
        }
        description = entity
        properties = entity.propertiesByName.mapValues(Self.property)
        demanding = entity.relationshipsByName.values.filter {
            !$0.isTransient && ($0.isToMany ? $0.minCount > ($0.isOptional ? 1 : 0) : !$0.isOptional)
        }
        rows = model.layout(of: entity).flatMap { ImportRowForm($0, in: store) }
        elements = ImportElements(entity)
        constrained = Set(
            entity.allUniquenessConstraintNames.joined().compactMap { PropertyPath($0, in: entity)?.property.name })
        matching = Result { try rule.map { try MatchScope.scopes($0, of: entity) } ?? [] }
    }

    /// Where objects of the entity are looked for.
    ///
    /// - Throws: `InspectionError` where the rule of the import cannot match them.
    func scopes() throws -> [MatchScope] { try matching.get() }

    private static func property(_ property: NSPropertyDescription) -> Property {
        switch property {
        case _ where !SettableProperty.isSettable(property): .made(property)
        case let relationship as NSRelationshipDescription: .relationship(relationship)
        case let attribute as NSAttributeDescription: .attribute(attribute)
        default: .made(property)
        }
    }

    /// The property of a key.
    ///
    /// - Throws: `InspectionError` of code `unknownKey` with the nearest key.
    func property(_ key: String) throws -> Property {
        if let property = properties[key] { return property }
        if let known = unknown[key] { throw known }
        // Looking for the nearest key takes long, and a column of a table is there in every row.
        let error = unknownKey(key)
        if unknown.count < 100 { unknown[key] = error }
        throw error
    }

    /// The error for an unknown key, which suggests the nearest one: an element if it begins with a composite attribute.
    private func unknownKey(_ key: String) -> InspectionError {
        if key.contains(".") {
            do {
                _ = try KeyRoute(key, from: description)
            } catch let error as InspectionError {
                return error
            } catch {}
        }
        return KeyRoute.unknown(key, of: description, path: key)
    }

    var name: String { description.name ?? "" }

    /// The labels of relationships by name, as JSON.
    func text(_ links: [ImportRecord.Member]) throws -> String {
        let members = try links.compactMap { link -> (String, JSONValue)? in
            guard case .relationship(let relationship) = try property(link.key) else { return nil }
            return (link.key, .array(try link.labels(for: relationship).map { .string($0) }))
        }
        return JSONWriter.line(.object(members))
    }

    /// The first relationship of an object that lacks members which it must have.
    func lack(of object: NSManagedObject) -> NSRelationshipDescription? {
        demanding.first { relationship in
            let value = object.value(forKey: relationship.name)
            guard relationship.isToMany else { return value == nil }
            let count = (value as? NSOrderedSet)?.count ?? (value as? NSSet)?.count ?? 0
            return count < relationship.minCount && !(count == 0 && relationship.isOptional)
        }
    }
}
