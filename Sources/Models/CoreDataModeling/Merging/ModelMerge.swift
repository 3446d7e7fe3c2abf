import CoreDataFoundation

/// Merges several models.
struct ModelMerge {
    private var assembly = ModelAssembly(isSource: false)
    private var originals: [String: NSEntityDescription] = [:]
    private var members: [String: [String]] = [:]
    private var texts: [String: String] = [:]
    private var requests: [String: NSObject] = [:]

    /// The contents of the merged model.
    struct Result {
        let assembly: ModelAssembly
        let localizationDictionary: [String: String]
        let templateObjects: [String: NSObject]
    }

    /// - Throws: `ModelingError` if two models define an entity of one name differently, or the merged model is
    ///   invalid.
    static func merge(_ models: [NSManagedObjectModel]) throws -> Result {
        var merge = ModelMerge()
        for model in models {
            for entity in model.entities { try merge.add(entity) }
            merge.addRest(of: model)
        }
        merge.assembly.configurations = merge.members.sorted { $0.key < $1.key }.map { ($0.key, $0.value, nil) }
        try merge.assembly.finish()
        return Result(
            assembly: merge.assembly, localizationDictionary: merge.texts, templateObjects: merge.requests)
    }

    private mutating func add(_ entity: NSEntityDescription) throws {
        let name = entity.name ?? ""
        if let original = originals[name] {
            guard original.hasSameDefinition(as: entity) else {
                throw ModelingError(
                    .invalidModel, "Can't merge models with two different entities named '\(name)'",
                    hint: "a stale .mom may lie beside a .momd; load the .momd by its URL")
            }
            return
        }
        originals[name] = entity
        let copy = entity.duplicate()
        assembly.add(copy, parent: entity.superentity?.name, place: nil)
        for (original, property) in zip(entity.ownProperties, copy.ownProperties) { link(property, original) }
    }

    /// Links a copied relationship by the names of its destination and inverse, which are looked up in the merged
    /// entities.
    private mutating func link(_ copy: NSPropertyDescription, _ original: NSPropertyDescription) {
        guard let copy = copy as? NSRelationshipDescription, let original = original as? NSRelationshipDescription,
            let destination = original.destinationEntity?.name
        else { return }
        let inverse = original.inverseRelationship?.name
        assembly.link(.init(relationship: copy, destination: destination, inverse: inverse))
    }

    private mutating func addRest(of model: NSManagedObjectModel) {
        for (name, entities) in model.entityNamesByConfiguration {
            let known = members[name] ?? []
            members[name] = known + entities.filter { !known.contains($0) }
        }
        // A request that was set in code belongs to its template, so both must come from the same model.
        for (name, template) in model.templatesByName where assembly.templates[name] == nil {
            assembly.templates[name] = template
            requests[name] = model.templateObjectsByName[name]?.copy() as? NSObject
        }
        texts.merge(model.localizationDictionary ?? [:]) { first, _ in first }
        assembly.notes += model.notes.filter { !assembly.notes.contains($0) }
        assembly.versionIdentifiers.formUnion(model.versionIdentifiers)
    }
}

extension NSEntityDescription {
    /// Whether two entities have the same version hash, class, renaming identifiers, defaults, rules and delete rules.
    func hasSameDefinition(as other: NSEntityDescription) -> Bool {
        guard name == other.name, managedObjectClassName == other.managedObjectClassName,
            renamingIdentifier == other.renamingIdentifier, superentity?.name == other.superentity?.name,
            versionHash == other.versionHash
        else { return false }
        let mine = ownProperties.sorted { $0.name < $1.name }
        let theirs = other.ownProperties.sorted { $0.name < $1.name }
        return mine.count == theirs.count && zip(mine, theirs).allSatisfy { $0.hasSameDefinition(as: $1) }
    }
}

extension NSPropertyDescription {
    fileprivate func hasSameDefinition(as other: NSPropertyDescription) -> Bool {
        guard name == other.name, versionHash == other.versionHash, renamingIdentifier == other.renamingIdentifier,
            validationRules == other.validationRules
        else { return false }
        switch (self, other) {
        case (let mine as NSAttributeDescription, let theirs as NSAttributeDescription):
            return mine.valueTransformerName == theirs.valueTransformerName
                && mine.attributeValueClassName == theirs.attributeValueClassName
                && haveSameContent(mine.defaultValue, theirs.defaultValue)
        case (let mine as NSRelationshipDescription, let theirs as NSRelationshipDescription):
            return mine.deleteRule == theirs.deleteRule
        case (let mine as NSFetchedPropertyDescription, let theirs as NSFetchedPropertyDescription):
            return mine.fetchRequestTemplate == theirs.fetchRequestTemplate
        default: return type(of: self) == type(of: other)
        }
    }
}
