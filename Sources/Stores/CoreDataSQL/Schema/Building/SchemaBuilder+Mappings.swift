import CoreDataStore

extension SchemaBuilder {
    /// Returns where the store has the objects of an entity, including inherited properties.
    func mapping(of entity: NSEntityDescription) -> EntityMapping {
        let properties = entity.properties.sorted { Self.precedes($0.name, $1.name) }
        let relationships = properties.compactMap { $0 as? NSRelationshipDescription }
        let number = numbering.number(of: entity) ?? 0
        return EntityMapping(
            name: entity.name ?? "", number: number,
            superNumber: numbering.number(of: entity.superentity) ?? 0,
            rootNumber: numbering.number(of: numbering.root(of: entity)) ?? number,
            familyNumbers: numbering.family(of: entity), isAbstract: entity.isAbstract, table: table(of: entity),
            attributes: properties.flatMap { attributes[ObjectIdentifier($0)] ?? [] },
            toOnes: relationships.compactMap { toOnes[ObjectIdentifier($0)] },
            toManys: relationships.compactMap(toMany),
            foreignKeys: entity.lineage.flatMap { inverselessToManys[ObjectIdentifier($0)] ?? [] }
                .compactMap { foreignKeys[ObjectIdentifier($0)] })
    }

    func toMany(_ relationship: NSRelationshipDescription) -> ToManyMapping? {
        guard let destination = relationship.destinationEntity, let number = numbering.number(of: destination),
            let storage = storage(of: relationship, in: destination)
        else { return nil }
        return ToManyMapping(
            name: relationship.name, destination: number, isOrdered: relationship.isOrdered,
            inverse: relationship.inverseRelationship?.name, storage: storage)
    }

    private func storage(
        of relationship: NSRelationshipDescription, in destination: NSEntityDescription
    ) -> ToManyMapping.Storage? {
        guard relationship.isToMany, !relationship.isTransient else { return nil }
        if let join = joins[ObjectIdentifier(relationship)] { return .join(join) }
        if let inverse = relationship.inverseRelationship, let key = toOnes[ObjectIdentifier(inverse)] {
            return .foreignKey(
                .init(
                    table: table(of: destination), column: key.column, entityColumn: key.entityColumn,
                    orderColumn: relationship.isOrdered ? key.orderColumn : nil))
        }
        guard let key = foreignKeys[ObjectIdentifier(relationship)] else { return nil }
        return .foreignKey(
            .init(table: table(of: destination), column: key.column, entityColumn: nil, orderColumn: key.orderColumn))
    }

    /// Adds the triggers that maintain the derived attributes that the entity declares.
    mutating func addTriggers(of entity: NSEntityDescription) {
        for attribute in entity.storedAttributes {
            guard let mapping = attributes[ObjectIdentifier(attribute)]?.first else { continue }
            let text = DerivationTriggers(
                entity: entity.name ?? "", attribute: attribute.name, table: table(of: entity), column: mapping.column)
            switch mapping.derivation {
            case .count(let name):
                guard let relationship = entity.relationshipsByName[name],
                    case .foreignKey(let children) = toMany(relationship)?.storage
                else { continue }
                triggers += text.counting(children)
            case .now: triggers += text.notingTime()
            case .copy(let path):
                guard path.count == 2, let relationship = entity.relationshipsByName[path[0]],
                    let source = relationship.destinationEntity, let value = column(of: path[1], in: source),
                    let reference = toOnes[ObjectIdentifier(relationship)], !isUnique(attribute.name, in: entity)
                else { continue }
                triggers += text.copying(value, from: table(of: source), by: reference.column)
            default: continue
            }
        }
    }

    /// Whether the attribute's values must be unique: then no trigger but the save computes them, as it can report the
    /// rows that conflict.
    private func isUnique(_ name: String, in entity: NSEntityDescription) -> Bool {
        numbering.entities.contains { descendant in
            descendant.isKindOf(entity: entity) && descendant.uniquenessConstraintNames.contains { $0.contains(name) }
        }
    }

    /// Returns the column of a stored attribute; nil for a composite attribute, which has several columns.
    private func column(of name: String, in entity: NSEntityDescription) -> String? {
        guard let attribute = entity.attributesByName[name], !(attribute is NSCompositeAttributeDescription) else {
            return nil
        }
        return attributes[ObjectIdentifier(attribute)]?.first?.column
    }
}
