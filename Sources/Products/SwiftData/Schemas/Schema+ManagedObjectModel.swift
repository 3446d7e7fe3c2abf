import CoreDataGraph
import Foundation

extension Schema {
    /// Makes the model that the store keeps: the one that Apple's framework makes of the same classes.
    func makeManagedObjectModel() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        let made = Dictionary(entities.map { ($0.name, $0.makeDescription()) }) { first, _ in first }
        for entity in entities {
            guard let superentity = entity.superentityName, let description = made[entity.name] else { continue }
            made[superentity]?.subentities.append(description)
        }
        for entity in entities { connect(entity, made) }
        model.entities = entities.compactMap { made[$0.name] }
        model.versionIdentifiers = [version.description]
        model.setEntities(model.entities, forConfigurationName: Self.configurationName)
        return model
    }

    /// The one configuration of the models that Apple's framework makes.
    static let configurationName = "default"

    private func connect(_ entity: Entity, _ made: [String: NSEntityDescription]) {
        guard let description = made[entity.name] else { return }
        description.indexes = entity.plan.declaredIndexes.map { isTree, names in
            let kind = isTree ? "RTree" : "Binary"
            let collation: NSFetchIndexElementType = isTree ? .rTree : .binary
            return NSFetchIndexDescription(
                name: "SwiftDataIndexOn\(kind)" + names.joined(),
                elements: names.compactMap { description.propertiesByName[$0] }
                    .map { NSFetchIndexElementDescription(property: $0, collationType: collation) })
        }
        for case let relationship as Schema.Relationship in entity.ownProperties {
            guard let property = description.relationshipsByName[relationship.name],
                let destination = made[relationship.destination]
            else { continue }
            property.destinationEntity = destination
            guard let inverse = relationship.inverseName else { continue }
            property.inverseRelationship = destination.relationshipsByName[inverse]
        }
    }
}

extension Schema.Entity {
    fileprivate func makeDescription() -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.renamingIdentifier = name
        entity.objectType = plan.recordType
        entity.properties = zip(plan.ownProperties, ownProperties).map { plan, property in
            (property as? Schema.Relationship)?.makeDescription()
                ?? plan.makeDescription(property as? Schema.Attribute)
        }
        entity.uniquenessConstraints = uniquenessConstraints
        return entity
    }
}

extension Schema.Relationship {
    fileprivate func makeDescription() -> NSRelationshipDescription {
        let made = NSRelationshipDescription()
        made.name = name
        made.renamingIdentifier = originalName
        made.isOptional = isOptional
        made.versionHashModifier = hashModifier
        made.isOrdered = options.contains(.ordered)
        made.minCount = minimumModelCount ?? 0
        made.maxCount = isToOneRelationship ? 1 : maximumModelCount ?? 0
        switch deleteRule {
        case .noAction: made.deleteRule = .noActionDeleteRule
        case .nullify: made.deleteRule = .nullifyDeleteRule
        case .cascade: made.deleteRule = .cascadeDeleteRule
        case .deny: made.deleteRule = .denyDeleteRule
        }
        return made
    }
}

extension PropertyPlan {
    fileprivate func makeDescription(_ attribute: Schema.Attribute?) -> NSAttributeDescription {
        let made: NSAttributeDescription
        switch kind {
        case .composite(let plan):
            let composite = NSCompositeAttributeDescription()
            composite.elements = plan.makeElements(areOptional: isOptional, defaults: defaultElements)
            composite.userInfo = plan.userInfo
            made = composite
        case .simple(let type):
            made = NSAttributeDescription()
            made.type = type.attributeType
        case .encoded:
            made = NSAttributeDescription()
            made.type = .binaryData
        default:
            made = NSAttributeDescription()
            made.type = .transformable
            setTransformer(of: made)
        }
        made.name = name
        made.isOptional = isOptional
        made.renamingIdentifier = attribute?.originalName ?? name
        made.versionHashModifier = attribute?.hashModifier
        made.defaultValue = makeDefault()
        let options = attribute?.options ?? []
        made.isTransient = options.contains(.ephemeral)
        made.allowsExternalBinaryDataStorage = options.contains(.externalStorage)
        made.preservesValueInHistoryOnDeletion = options.contains(.preserveValueOnDeletion)
        made.allowsCloudEncryption = options.contains(.allowsCloudEncryption)
        return made
    }

    private func setTransformer(of attribute: NSAttributeDescription) {
        guard case .transformed(let name) = kind else { return }
        attribute.valueTransformerName = name ?? "NSSecureUnarchiveFromData"
        if name == nil { attribute.attributeValueClassName = "\(valueType)" }
    }

    private func makeDefault() -> Any? {
        switch kind {
        case .simple: return (defaultValue as? any PersistentValue)?.foundationValue
        case .composite: return defaultElements.isEmpty ? nil : defaultElements
        default: return nil
        }
    }
}
