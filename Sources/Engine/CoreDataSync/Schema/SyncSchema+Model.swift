import CoreDataModeling

/// What sync cannot keep in step in a model.
package struct SyncModelError: Error, CustomStringConvertible {
    package let description: String
}

extension SyncSchema {
    /// Makes the schema of a model.
    ///
    /// Entities and properties are known by their renaming identifiers, so that a renamed one is the same in all versions. The user info
    /// of an attribute chooses a rule with `sync.merge` (``MergeRule``), that of an entity what an edit does to a deletion with
    /// `sync.deletion`: `deletion` (deletion wins) or `edit` (an edit revives). Transient and derived attributes do not travel.
    ///
    /// - Throws: ``SyncModelError`` for a rule that does not exist and a relationship that is its own inverse, ``SchemaError``.
    package init(_ model: NSManagedObjectModel) throws {
        let entities = model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
        var superentities: [SchemaID: SchemaID] = [:]
        for entity in entities { superentities[entity.syncID] = entity.superentity?.syncID }
        try self.init(
            entities: try entities.map { try Self.entity($0) },
            relationships: try entities.flatMap { try Self.pairs($0) },
            superentities: superentities)
    }

    private static func entity(_ entity: NSEntityDescription) throws -> SyncEntity {
        let attributes = try entity.attributesByName.values.sorted { $0.name < $1.name }
            .filter { !$0.isTransient && !($0 is NSDerivedAttributeDescription) }.map { try attribute($0, entity) }
        var constraints: [UniqueConstraint] = []
        var next: NSEntityDescription? = entity
        while let declaring = next {
            constraints += declaring.uniquenessConstraints.compactMap { constraint($0, declaring, attributes) }
            next = declaring.superentity
        }
        let text = entity.userInfo?["sync.deletion"] as? String
        guard let deletion = text.map({ DeletionRule(rawValue: $0) }) ?? .deletionWins else {
            throw SyncModelError(
                description: "the entity \(entity.name ?? "") has sync.deletion '\(text ?? "")'; use deletion or edit")
        }
        return SyncEntity(
            entity.name ?? "", id: entity.syncID, attributes: attributes, constraints: constraints, deletion: deletion)
    }

    private static func attribute(
        _ attribute: NSAttributeDescription, _ entity: NSEntityDescription
    ) throws -> SyncAttribute {
        let text = attribute.userInfo?["sync.merge"] as? String
        guard let rule = text.map({ MergeRule($0) }) ?? .lastWriter else {
            throw SyncModelError(
                description: "\(entity.name ?? "").\(attribute.name) has sync.merge '\(text ?? "")'; "
                    + "use last, first, greatest, least, counter, set or custom:NAME")
        }
        return SyncAttribute(
            attribute.name, id: entity.syncID(of: attribute), rule: rule,
            defaultValue: SyncValue(attribute.defaultValue, attribute.attributeType))
    }

    private static func constraint(
        _ names: [Any], _ entity: NSEntityDescription, _ attributes: [SyncAttribute]
    ) -> UniqueConstraint? {
        let named = names.compactMap { item in
            let name = item as? String ?? (item as? NSAttributeDescription)?.name
            return attributes.first { $0.name == name }
        }
        guard named.count == names.count, !named.isEmpty else { return nil }
        let text = named.map(\.id.description).joined(separator: ",")
        return UniqueConstraint(
            id: SchemaID(entity: "\(entity.syncID)", property: text), attributes: named.map(\.id))
    }

    // MARK: Relationships

    /// The relationships that an entity declares and whose source it is.
    private static func pairs(_ entity: NSEntityDescription) throws -> [SyncRelationship] {
        try entity.relationshipsByName.values.sorted { $0.name < $1.name }.compactMap { relationship in
            guard entity.declares(relationship.name), !relationship.isTransient else { return nil }
            let inverse = relationship.inverseRelationship
            if let inverse, inverse === relationship {
                throw SyncModelError(
                    description:
                        "\(entity.name ?? "").\(relationship.name) is its own inverse; give it another for sync")
            }
            guard inverse.map({ isSource(relationship, $0, entity) }) ?? true else { return nil }
            let target = inverse.flatMap { inverse in
                relationship.destinationEntity.map { end(inverse, $0.declaring(inverse.name)) }
            }
            return SyncRelationship(
                id: entity.syncID(of: relationship), source: end(relationship, entity), target: target)
        }
    }

    /// Whether links of a pair are kept at the first end: the to-one end of two that differ, otherwise the one whose name is first.
    private static func isSource(
        _ one: NSRelationshipDescription, _ other: NSRelationshipDescription, _ entity: NSEntityDescription
    ) -> Bool {
        if (one.maxCount == 1) != (other.maxCount == 1) { return one.maxCount == 1 }
        guard let destination = one.destinationEntity?.declaring(other.name) else { return true }
        return (entity.syncName, one.syncName) < (destination.syncName, other.syncName)
    }

    private static func end(
        _ relationship: NSRelationshipDescription, _ entity: NSEntityDescription
    ) -> SyncRelationship.End {
        let rule: SyncDeleteRule =
            switch relationship.deleteRule {
            case .cascadeDeleteRule: .cascade
            case .denyDeleteRule: .deny
            default: .nullify
            }
        let isToMany = relationship.maxCount != 1
        return SyncRelationship.End(
            entity.syncID, relationship.name, isToMany: isToMany, isOrdered: isToMany && relationship.isOrdered,
            isMandatory: !relationship.isOptional, maximumCount: isToMany ? relationship.maxCount : 0, deleteRule: rule)
    }
}

extension NSPropertyDescription {
    fileprivate var syncName: String { renamingIdentifier ?? name }
}

extension NSEntityDescription {
    fileprivate var syncName: String { renamingIdentifier ?? name ?? "" }

    fileprivate var syncID: SchemaID { SchemaID(entity: syncName) }

    fileprivate func syncID(of property: NSPropertyDescription) -> SchemaID {
        SchemaID(entity: declaring(property.name).syncName, property: property.syncName)
    }

    fileprivate func declares(_ name: String) -> Bool { superentity?.propertiesByName[name] == nil }

    /// The topmost superentity that has a property.
    fileprivate func declaring(_ name: String) -> NSEntityDescription {
        var entity = self
        while let next = entity.superentity, next.propertiesByName[name] != nil { entity = next }
        return entity
    }
}

extension SyncValue {
    /// A value of an attribute of a type; null for one that cannot travel.
    package init(_ value: Any?, _ type: NSAttributeType) {
        switch (type, value) {
        case (_, nil): self = .null
        case (.booleanAttributeType, let value as Bool): self = .bool(value)
        case (.integer16AttributeType, let value as NSNumber), (.integer32AttributeType, let value as NSNumber),
            (.integer64AttributeType, let value as NSNumber):
            self = .int(value.int64Value)
        case (.decimalAttributeType, let value as NSDecimalNumber): self = .decimal(value.decimalValue)
        case (.decimalAttributeType, let value as Decimal): self = .decimal(value)
        case (.doubleAttributeType, let value as NSNumber): self = .double(value.doubleValue)
        case (.floatAttributeType, let value as NSNumber): self = .float(value.floatValue)
        case (_, let value as String): self = .string(value)
        case (_, let value as Date): self = .date(value.timeIntervalSinceReferenceDate)
        case (_, let value as Data): self = .data(Array(value))
        case (_, let value as UUID): self = .uuid(value)
        case (_, let value as URL): self = .uri(value.absoluteString)
        default: self = .null
        }
    }
}
