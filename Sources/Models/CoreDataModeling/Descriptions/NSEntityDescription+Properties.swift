import CoreDataFoundation

extension NSEntityDescription {
    /// The longest chain of superentities that is followed; a reader refuses a model with a longer one.
    package static let greatestDepth = 128

    /// The properties of the entity, the inherited ones first.
    ///
    /// Setting replaces the properties that the entity itself declares; inherited properties in the new value are
    /// ignored.
    /// Takes constant time once the model is frozen, and before that time in proportion to the number of properties.
    public var properties: [NSPropertyDescription] {
        get { frozen?.properties ?? collectProperties() }
        set {
            let inherited = Set((superentity?.properties ?? []).map(ObjectIdentifier.init))
            setOwnProperties(newValue.filter { !inherited.contains(ObjectIdentifier($0)) })
        }
    }

    /// The properties of the entity, inherited ones included, by name.
    public var propertiesByName: [String: NSPropertyDescription] {
        frozen?.propertiesByName ?? named(collectProperties())
    }

    /// The attributes of the entity, inherited ones included, by name.
    public var attributesByName: [String: NSAttributeDescription] {
        frozen?.attributesByName ?? propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
    }

    /// The relationships of the entity, inherited ones included, by name.
    public var relationshipsByName: [String: NSRelationshipDescription] {
        frozen?.relationshipsByName ?? propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
    }

    /// The relationships of the entity, inherited ones included, whose destination is the given entity.
    public func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
        properties.compactMap { $0 as? NSRelationshipDescription }.filter { $0.destinationEntity === entity }
    }

    /// The attribute names of each uniqueness constraint that the entity itself declares.
    package var uniquenessConstraintNames: [[String]] { names(in: uniquenessConstraints) }

    /// The attribute names of each uniqueness constraint of the entity and its ancestors, each once, its own first.
    package var allUniquenessConstraintNames: [[String]] {
        lineage.reversed().flatMap(\.uniquenessConstraintNames).reduce(into: []) { groups, names in
            if !groups.contains(names) { groups.append(names) }
        }
    }

    /// The property names of each compound index that the entity itself declares.
    package var compoundIndexNames: [[String]] { names(in: compoundIndexes) }

    private func names(in groups: [[Any]]) -> [[String]] {
        groups.map { group in
            group.compactMap { ($0 as? NSPropertyDescription).map(path) ?? $0 as? String }
        }
    }

    /// The chain of entities from the root entity down to this one.
    ///
    /// It has at most `greatestDepth` + 1 entities, so that a cycle made in code does not hang.
    package var lineage: [NSEntityDescription] {
        var line = [self]
        while let parent = line[line.count - 1].superentity, line.count <= Self.greatestDepth { line.append(parent) }
        return line.reversed()
    }

    /// The properties, inherited ones first, in the order of declaration; of several with one name the last declared
    /// counts.
    func collectProperties() -> [NSPropertyDescription] {
        guard superentity != nil else { return ownProperties }
        let all = lineage.flatMap(\.ownProperties)
        let effective = named(all)
        return all.filter { effective[$0.name] === $0 }
    }

    func named(_ properties: [NSPropertyDescription]) -> [String: NSPropertyDescription] {
        Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
    }
}
