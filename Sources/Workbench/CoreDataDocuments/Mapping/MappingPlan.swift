import CoreData

/// A mapping with what it names in a model.
package struct MappingPlan {
    /// The records at one place, or related ones.
    package final class Records {
        package let rule: ImportMapping.Records
        /// For each entity that a record may be of.
        package let entities: [String: Entity]
        /// The names of members of a record that properties come from, where others are refused; nil where all are taken.
        let knownMembers: Set<String>?

        init(_ rule: ImportMapping.Records, _ entities: [String: Entity], _ knownMembers: Set<String>?) {
            (self.rule, self.entities, self.knownMembers) = (rule, entities, knownMembers)
        }
    }

    package struct Entity {
        let name: String
        package let properties: [Property]
        let mapped: ImportRecord.Mapped
        /// The same for an object that the import itself has made.
        let known: ImportRecord.Mapped
    }

    package struct Property {
        package let rule: ImportMapping.Property
        package let content: Content
    }

    package enum Content {
        case attribute(NSAttributeDescription, AttributeKind, ValueConversion)
        case related(NSRelationshipDescription, Records)
    }

    package let records: [Records]

    /// - Throws: `InspectionError` for a name that the model does not have.
    package init(_ mapping: ImportMapping, _ model: NSManagedObjectModel) throws {
        records = try mapping.records.map { try Self.records($0, nil, model) }
    }

    private static func records(
        _ rule: ImportMapping.Records, _ relationship: NSRelationshipDescription?, _ model: NSManagedObjectModel
    ) throws -> Records {
        let names: [String]
        switch rule.entity {
        case .named(let name): names = [name]
        case .byValue(_, let words): names = Set(words.values).sorted()
        case .destination: names = [relationship?.destinationEntity?.name ?? ""]
        }
        var entities: [String: Entity] = [:]
        for name in names {
            let entity = try model.entity(named: name)
            if let relationship { try PropertyEditor.requireTarget(entity, of: relationship) }
            guard !entity.isAbstract else {
                throw InspectionError(
                    .badValue, subject: name, cause: "the entity is abstract, so it has no objects of its own",
                    hint: "the mapping names one below it with 'entity'")
            }
            let scopes = try scopes(rule, of: entity)
            entities[name] = Entity(
                name: name,
                properties: try rule.properties.map { try property($0, of: entity, model) },
                mapped: .init(scopes, existing: rule.existing, creates: rule.creates),
                known: .init(
                    scopes, existing: rule.existing == .refuse ? .keep : rule.existing, creates: rule.creates))
        }
        let takesAny = rule.properties.contains { $0.source.paths.contains { $0.steps.first == .any } }
        return Records(rule, entities, rule.unknown == .refuse && !takesAny ? knownMembers(rule) : nil)
    }

    private static func knownMembers(_ rule: ImportMapping.Records) -> Set<String> {
        var known: Set<String> = []
        func note(_ path: DocumentPath) {
            if case .name(let name)? = path.steps.first { known.insert(name) }
            if path.steps.isEmpty { known.insert("#text") }
        }
        for property in rule.properties { property.source.paths.forEach(note) }
        if case .byValue(let path, _) = rule.entity { note(path) }
        return known
    }

    private static func property(
        _ rule: ImportMapping.Property, of entity: NSEntityDescription, _ model: NSManagedObjectModel
    ) throws -> Property {
        let found = try settable(rule.name, of: entity)
        switch (found, rule.content) {
        case (let attribute as NSAttributeDescription, .value(let conversion)):
            return Property(rule: rule, content: .attribute(attribute, AttributeKind(attribute), conversion))
        case (let relationship as NSRelationshipDescription, .related(let related)):
            return Property(rule: rule, content: .related(relationship, try records(related, relationship, model)))
        case (is NSRelationshipDescription, _):
            throw InspectionError(
                .badValue, subject: "\(entity.name ?? "").\(rule.name)", cause: "it is a relationship",
                hint: "the mapping says with 'match' and 'properties' which objects it leads to")
        default:
            throw InspectionError(
                .badValue, subject: "\(entity.name ?? "").\(rule.name)",
                cause: "it is an attribute, and has no objects of its own")
        }
    }

    /// The property of a name, or the element of a composite attribute: `place.city`.
    private static func settable(_ name: String, of entity: NSEntityDescription) throws -> NSPropertyDescription {
        let parts = name.split(separator: ".").map(String.init)
        guard parts.count > 1, let composite = entity.attributesByName[parts[0]] as? NSCompositeAttributeDescription
        else {
            guard let property = entity.propertiesByName[name] else {
                throw KeyRoute.unknown(name, of: entity, path: name)
            }
            guard SettableProperty.isSettable(property) else {
                throw InspectionError(
                    .badValue, subject: "\(entity.name ?? "").\(name)",
                    cause: "it is computed from others, or not stored")
            }
            return property
        }
        let end = parts.dropFirst().reduce(composite as NSAttributeDescription?) { outer, name in
            (outer as? NSCompositeAttributeDescription)?.elements.first { $0.name == name }
        }
        guard let end else { throw KeyRoute.unknown(name, of: entity, path: name) }
        return end
    }

    private static func given(
        _ names: [String], by rule: ImportMapping.Records, of entity: NSEntityDescription
    ) throws -> MatchScope {
        let scope = try MatchScope(names, of: entity)
        guard let missing = names.first(where: { name in !rule.properties.contains { $0.name == name } }) else {
            return scope
        }
        throw InspectionError(
            .badValue, subject: "\(entity.name ?? "").\(missing)",
            cause: "objects are matched by it, and no value becomes it")
    }

    private static func scopes(_ rule: ImportMapping.Records, of entity: NSEntityDescription) throws -> [MatchScope] {
        switch rule.match {
        case .none: []
        case .keys(let names): [try given(names, by: rule, of: entity)]
        case .constraints: try MatchScope.scopes(.constraint, of: entity, isLenient: true)
        }
    }
}

extension ImportMapping {
    /// Compares the names of the mapping with a model.
    ///
    /// - Throws: `InspectionError` for a name that the model does not have.
    package func check(against model: NSManagedObjectModel) throws { _ = try MappingPlan(self, model) }
}
