import CoreDataStore

extension SchemaBuilder {
    /// A column with the group by which it is ordered.
    private typealias Placed = (group: ColumnGroup, column: TableDefinition.Column)

    /// Names the columns of one table and puts them in order.
    ///
    /// Names are assigned depth first, within an entity to attributes before relationships; the list is ordered by
    /// group.
    mutating func layOutColumns(of tree: [NSEntityDescription]) -> [TableDefinition.Column] {
        var names = NameAllocator(reserved: ["Z_PK", "Z_ENT", "Z_OPT"])
        var placed: [Placed] = []
        for entity in tree {
            placed += addAttributes(of: entity, &names)
            placed += addToOnes(of: entity, &names)
            placed += addForeignKeys(into: entity, &names)
        }
        let system: [TableDefinition.Column] = [
            .init("Z_PK", .integer, isPrimaryKey: true), .init("Z_ENT", .integer), .init("Z_OPT", .integer),
        ]
        return system + ColumnGroup.allCases.flatMap { group in placed.filter { $0.group == group }.map(\.column) }
    }

    private mutating func addAttributes(of entity: NSEntityDescription, _ names: inout NameAllocator) -> [Placed] {
        var placed: [Placed] = []
        for attribute in entity.storedAttributes {
            var mappings: [AttributeMapping] = []
            // A composite has one column for each element, named after the element alone, in the order of declaration.
            for element in CompositeCoding.leaves(of: attribute) {
                let (path, leaf) = (element.path, element.attribute)
                guard let type = ColumnType(leaf.attributeType), let group = ColumnGroup(leaf.attributeType) else {
                    continue
                }
                let column = names.take("Z" + Self.upper(leaf.name))
                placed.append((group, .init(column, type)))
                mappings.append(
                    AttributeMapping(
                        name: attribute.name, elementPath: path, type: leaf.attributeType, columnType: type,
                        column: column, allowsExternalStorage: leaf.allowsExternalBinaryDataStorage,
                        derivation: (attribute as? NSDerivedAttributeDescription)?.derivation))
            }
            attributes[ObjectIdentifier(attribute)] = mappings
        }
        return placed
    }

    private mutating func addToOnes(of entity: NSEntityDescription, _ names: inout NameAllocator) -> [Placed] {
        var keys: [Placed] = []
        for relationship in entity.storedRelationships where !relationship.isToMany {
            guard let destination = relationship.destinationEntity, let number = numbering.number(of: destination)
            else { continue }
            let column = names.take("Z" + Self.upper(relationship.name))
            var mapping = ToOneMapping(
                name: relationship.name, destination: number, column: column,
                inverse: relationship.inverseRelationship?.name)
            keys.append((.integersAndKeys, .init(column, .integer)))
            if numbering.hasDescendants(destination) {
                let entityColumn = names.take("Z\(number)_\(column.dropFirst())")
                keys.append((.integersAndKeys, .init(entityColumn, .integer)))
                mapping.entityColumn = entityColumn
            }
            if let inverse = relationship.inverseRelationship, inverse.isToMany, inverse.isOrdered {
                let orderColumn = names.take("Z_FOK_\(column.dropFirst())")
                keys.append((.orderKeys, .init(orderColumn, .integer)))
                mapping.orderColumn = orderColumn
            }
            toOnes[ObjectIdentifier(relationship)] = mapping
        }
        return keys
    }

    /// Adds the key columns of to-many relationships without inverse whose destination is the entity, by the owners'
    /// numbers.
    private mutating func addForeignKeys(into entity: NSEntityDescription, _ names: inout NameAllocator) -> [Placed] {
        var keys: [Placed] = []
        for relationship in inverselessToManys[ObjectIdentifier(entity)] ?? [] {
            guard let owner = numbering.number(of: relationship.entity) else { continue }
            let column = names.take("Z\(owner)\(Self.upper(relationship.name))")
            var mapping = ForeignKeyMapping(owner: owner, relationship: relationship.name, column: column)
            keys.append((.integersAndKeys, .init(column, .integer)))
            if relationship.isOrdered {
                let orderColumn = names.take("Z_FOK_\(column.dropFirst())")
                keys.append((.integersAndKeys, .init(orderColumn, .integer)))
                mapping.orderColumn = orderColumn
            }
            foreignKeys[ObjectIdentifier(relationship)] = mapping
        }
        return keys
    }
}
