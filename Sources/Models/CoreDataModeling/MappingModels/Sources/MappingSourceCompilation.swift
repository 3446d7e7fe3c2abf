import CoreDataFoundation

/// Compiles a mapping model from its source and the two models for which it is, as Apple's compiler does.
///
/// - An attribute without an expression is copied from the source attribute with its name, or with its renaming
///   identifier; blank if neither exists, or if the source says that no expression is to be generated.
/// - A relationship without an expression leads to the migrated objects of the source relationship of this name, made
///   by the only mapping of their entity, or by any mapping if several map that entity or its subentities.
/// - A mapping with a policy is `custom`, one without a source entity `add`, one without a destination entity `remove`,
///   one that copies all attributes under the same names `copy`, any other `transform`.
///
/// Source: a `.xcmappingmodel` and the `.cdm` that Apple's compiler made of it.
struct MappingSourceCompilation {
    let source: MappingSource
    let sourceModel: NSManagedObjectModel?
    let destinationModel: NSManagedObjectModel?
    private let names: [String]

    /// - Parameter sourceModel: the source model; nil if unknown, and then properties are matched by name alone.
    init(_ source: MappingSource, sourceModel: NSManagedObjectModel?, destinationModel: NSManagedObjectModel?) {
        self.source = source
        self.sourceModel = sourceModel
        self.destinationModel = destinationModel
        var taken = Set<String>()
        names = source.entities.map { entity in
            let name = entity.name ?? Self.name(of: entity)
            var unique = name
            var number = 1
            while !taken.insert(unique).inserted {
                unique = "\(name)_\(number)"
                number += 1
            }
            return unique
        }
    }

    private static func name(of entity: MappingSource.Entity) -> String {
        guard let source = entity.sourceName else { return entity.destinationName ?? "" }
        return entity.destinationName.map { "\(source)To\($0)" } ?? source
    }

    /// - Throws: `ModelingError` for a filter that is not a predicate, and for a property that is mapped twice.
    func mappings() throws -> [NSEntityMapping] {
        let sourceHashes = sourceModel?.entityVersionHashesByName ?? [:]
        let destinationHashes = destinationModel?.entityVersionHashesByName ?? [:]
        return try zip(source.entities, names).map { entity, name in
            let mapping = NSEntityMapping()
            mapping.name = name
            mapping.sourceEntityName = entity.sourceName
            mapping.destinationEntityName = entity.destinationName
            mapping.sourceEntityVersionHash = entity.sourceName.flatMap { sourceHashes[$0] }
            mapping.destinationEntityVersionHash = entity.destinationName.flatMap { destinationHashes[$0] }
            mapping.entityMigrationPolicyClassName = entity.policy
            mapping.userInfo = entity.userInfo
            mapping.sourceExpression = try sourceExpression(of: entity, name)
            mapping.attributeMappings = try properties(entity.attributes, name: name) { attributeValue($0, entity) }
            mapping.relationshipMappings = try properties(entity.relationships, name: name) {
                relationshipValue($0, entity)
            }
            mapping.mappingType = type(of: entity, mapping)
            return mapping
        }
    }

    private func properties(
        _ properties: [MappingSource.Property], name: String, value: (MappingSource.Property) -> NSExpression?
    ) throws -> [NSPropertyMapping] {
        var seen = Set<String>()
        return try properties.map { property in
            guard seen.insert(property.name).inserted else {
                throw ModelingError(.invalidModel, "the mapping '\(name)' has '\(property.name)' twice")
            }
            return NSPropertyMapping(name: property.name, valueExpression: property.expression ?? value(property))
        }
    }

    private func sourceExpression(of entity: MappingSource.Entity, _ name: String) throws -> NSExpression? {
        guard let sourceName = entity.sourceName, entity.destinationName != nil else { return nil }
        if let filter = entity.filter {
            do {
                _ = try NSPredicate(parsing: filter)
            } catch {
                throw ModelingError(.invalidModel, "the filter of the mapping '\(name)' is no predicate: \(error)")
            }
        }
        return MappingExpressions.objects(ofEntity: sourceName, where: entity.filter)
    }

    private func type(of entity: MappingSource.Entity, _ mapping: NSEntityMapping) -> NSEntityMappingType {
        if entity.policy != nil { return .customEntityMappingType }
        guard entity.sourceName != nil else { return .addEntityMappingType }
        guard entity.destinationName != nil else { return .removeEntityMappingType }
        let isPlain = (mapping.attributeMappings ?? []).allSatisfy {
            MappingExpressions.plainKey(of: $0.valueExpression) == $0.name
        }
        return isPlain ? .copyEntityMappingType : .transformEntityMappingType
    }

    // MARK: Values

    private func attributeValue(_ property: MappingSource.Property, _ entity: MappingSource.Entity) -> NSExpression? {
        guard property.generatesExpression,
            let key = sourceKey(of: property, entity, isKind: { $0 is NSAttributeDescription })
        else { return nil }
        return MappingExpressions.source(key)
    }

    private func relationshipValue(
        _ property: MappingSource.Property, _ entity: MappingSource.Entity
    ) -> NSExpression? {
        if let keyPath = property.keyPath {
            let objects = NSExpression(forKeyPath: keyPath)
            guard let name = property.mappingName else { return objects }
            return MappingExpressions.destinations(ofMapping: name, of: objects)
        }
        guard property.generatesExpression,
            let key = sourceKey(of: property, entity, isKind: { $0 is NSRelationshipDescription })
        else { return nil }
        if let name = property.mappingName ?? onlyMapping(ofTargetOf: key, entity) {
            return MappingExpressions.destinations(ofMapping: name, of: MappingExpressions.source(key))
        }
        return MappingExpressions.destinations(ofRelationship: key)
    }

    /// The property of the source entity that matches a property; only by name if the source model is unknown.
    private func sourceKey(
        of property: MappingSource.Property, _ entity: MappingSource.Entity,
        isKind: (NSPropertyDescription) -> Bool
    ) -> String? {
        guard let sourceName = entity.sourceName else { return nil }
        guard let sourceModel else { return property.name }
        guard let properties = sourceModel.entitiesByName[sourceName]?.propertiesByName else { return nil }
        if let same = properties[property.name], isKind(same) { return property.name }
        let new = entity.destinationName.flatMap {
            destinationModel?.entitiesByName[$0]?.propertiesByName[property.name]
        }
        guard let identifier = new?.declaredRenamingIdentifier else { return nil }
        return properties.values.first { isKind($0) && ($0.declaredRenamingIdentifier ?? $0.name) == identifier }?.name
    }

    /// The name of the mapping of a relationship's destination or its subentities, if there is exactly one.
    private func onlyMapping(ofTargetOf key: String, _ entity: MappingSource.Entity) -> String? {
        let owner = entity.sourceName.flatMap { sourceModel?.entitiesByName[$0] }
        let relationship = owner?.relationshipsByName[key]
        guard let target = relationship?.destinationEntity else { return nil }
        let mapped = zip(source.entities, names).filter { candidate, _ in
            candidate.sourceName.flatMap { sourceModel?.entitiesByName[$0] }?.isKindOf(entity: target) == true
                && candidate.destinationName != nil
        }
        return mapped.count == 1 ? mapped[0].1 : nil
    }
}
