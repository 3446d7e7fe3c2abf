import CoreDataGraph
import CoreDataModeling
import CoreDataStore
import CoreDataSync

/// Makes the engine's schema of a model: names become numbers by renaming identifiers, merge rules come from user infos.
///
/// | user info | of | meaning |
/// |---|---|---|
/// | `sync.merge` | an attribute | the rule, by the names of `MergeRule` |
/// | `sync.deletion` | an entity | `deletion` or `edit`: which of both wins |
/// | `sync.exclude` | an attribute or an entity | `YES`: it stays on this device |
struct SchemaBuilder {
    let model: NSManagedObjectModel

    func schema() throws -> SyncSchema {
        let entities = model.entities.filter { !Self.isExcluded($0.userInfo) }
        var superentities: [SchemaID: SchemaID] = [:]
        for entity in entities {
            if let parent = entity.superentity { superentities[Self.id(entity)] = Self.id(parent) }
        }
        return try SyncSchema(
            entities: try entities.map(syncEntity), relationships: relationships(of: entities),
            superentities: superentities)
    }

    // MARK: Names

    static func id(_ entity: NSEntityDescription) -> SchemaID { SchemaID(entity: entity.stableName) }

    private static func name(_ property: NSPropertyDescription) -> String {
        property.renamingIdentifier ?? property.name
    }

    /// The entity that declares a property which an entity may have inherited.
    static func declaring(_ name: String, of entity: NSEntityDescription) -> NSEntityDescription {
        var declaring = entity
        while let parent = declaring.superentity, parent.propertiesByName[name] != nil { declaring = parent }
        return declaring
    }

    static func id(_ property: NSPropertyDescription, of entity: NSEntityDescription, path: String = "") -> SchemaID {
        SchemaID(entity: declaring(property.name, of: entity).stableName, property: name(property) + path)
    }

    static func isExcluded(_ userInfo: [AnyHashable: Any]?) -> Bool {
        switch userInfo?["sync.exclude"] {
        case let text as String: ["YES", "TRUE", "1"].contains(text.uppercased())
        case let number as NSNumber: number.boolValue
        default: false
        }
    }

    // MARK: Entities

    private func syncEntity(_ entity: NSEntityDescription) throws -> SyncEntity {
        guard let layout = EntityLayout.known(entity) else { throw SyncError.modelNotUsed }
        let attributes = AttributeMapping.all(of: layout)
        let deletion =
            (entity.userInfo?["sync.deletion"] as? String).flatMap { DeletionRule(rawValue: $0) } ?? .deletionWins
        return SyncEntity(
            entity.name ?? "", id: Self.id(entity), attributes: try attributes.map(syncAttribute),
            constraints: constraints(of: entity, attributes), deletion: deletion)
    }

    private func syncAttribute(_ mapping: AttributeMapping) throws -> SyncAttribute {
        let text = mapping.declared.userInfo?["sync.merge"] as? String
        let rule = text.map { MergeRule($0) } ?? .lastWriter
        guard let rule else {
            throw SyncError.unknownRule(text ?? "", mapping.entity.name ?? "", mapping.declared.name)
        }
        // The engine merges arrays of values; what a transformable attribute stores are the bytes of an archive.
        guard rule != .set else { throw SyncError.unusableSet(mapping.entity.name ?? "", mapping.declared.name) }
        return SyncAttribute(
            mapping.name, id: mapping.id, rule: rule, defaultValue: mapping.defaultValue)
    }

    /// The constraints of an entity and its superentities whose properties are all attributes that are synced.
    private func constraints(of entity: NSEntityDescription, _ attributes: [AttributeMapping]) -> [UniqueConstraint] {
        var found: [UniqueConstraint] = []
        var next: NSEntityDescription? = entity
        while let declaring = next {
            for constraint in declaring.uniquenessConstraints {
                let names = constraint.compactMap { ($0 as? String) ?? ($0 as? NSPropertyDescription)?.name }
                let ids = names.compactMap { name in attributes.first { $0.name == name }?.id }.sorted()
                guard ids.count == constraint.count, !ids.isEmpty else { continue }
                let text = ids.map(\.description).joined(separator: ",")
                let id = SchemaID(entity: declaring.stableName, property: text)
                if !found.contains(where: { $0.id == id }) { found.append(UniqueConstraint(id: id, attributes: ids)) }
            }
            next = declaring.superentity
        }
        return found
    }

    // MARK: Relationships

    private func relationships(of entities: [NSEntityDescription]) -> [SyncRelationship] {
        var pairs: [SchemaID: SyncRelationship] = [:]
        for entity in entities {
            for relationship in entity.relationshipsByName.values where !Self.isExcluded(relationship.userInfo) {
                guard let source = Self.source(relationship, of: entity, in: model) else { continue }
                pairs[source.id] = source
            }
        }
        return pairs.values.sorted { $0.id < $1.id }
    }

    /// The pair of a relationship and its inverse; nil if it does not take part.
    private static func source(
        _ relationship: NSRelationshipDescription, of entity: NSEntityDescription, in model: NSManagedObjectModel
    ) -> SyncRelationship? {
        guard !relationship.isTransient, let target = relationship.destinationEntity, !isExcluded(target.userInfo)
        else { return nil }
        let owner = declaring(relationship.name, of: entity)
        let own = end(relationship, owner)
        guard let inverse = relationship.inverseRelationship, let other = inverse.entity else {
            return SyncRelationship(id: id(relationship, of: owner), source: own, target: nil)
        }
        let inverseOwner = declaring(inverse.name, of: other)
        if inverse.name == relationship.name, inverseOwner === owner {
            return SyncRelationship(id: id(relationship, of: owner), source: own, target: own)
        }
        let isSource: Bool
        if relationship.isToMany != inverse.isToMany {
            isSource = !relationship.isToMany
        } else {
            isSource = (name(relationship), owner.stableName) < (name(inverse), inverseOwner.stableName)
        }
        let opposite = end(inverse, inverseOwner)
        return isSource
            ? SyncRelationship(id: id(relationship, of: owner), source: own, target: opposite)
            : SyncRelationship(id: id(inverse, of: inverseOwner), source: opposite, target: own)
    }

    private static func end(
        _ relationship: NSRelationshipDescription, _ owner: NSEntityDescription
    ) -> SyncRelationship.End {
        let rule: SyncDeleteRule =
            switch relationship.deleteRule {
            case .cascadeDeleteRule: .cascade
            case .denyDeleteRule: .deny
            default: .nullify
            }
        return SyncRelationship.End(
            id(owner), relationship.name, isToMany: relationship.isToMany, isOrdered: relationship.isOrdered,
            isMandatory: !relationship.isOptional, maximumCount: relationship.isToMany ? relationship.maxCount : 0,
            deleteRule: rule)
    }
}
