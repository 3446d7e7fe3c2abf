import CoreDataStore

extension SchemaBuilder {
    /// Adds the indexes of one table and of the join tables that belong to its entities.
    mutating func addIndexes(of root: NSEntityDescription, tree: [NSEntityDescription]) {
        let table = table(of: root)
        for entity in tree { addKeyIndexes(of: entity, table) }
        if tree.count > 1 { addPlainIndex("\(table)_Z_ENT_INDEX", table, ["Z_ENT"]) }
        for entity in tree { addJoinIndexes(of: entity) }
        for entity in tree {
            addPropertyIndexes(of: entity, table)
            addFetchIndexes(of: entity, table)
            addCompoundIndexes(of: entity, table)
            addUniqueIndexes(of: entity, table)
        }
    }

    private mutating func addKeyIndexes(of entity: NSEntityDescription, _ table: String) {
        let keys = entity.storedRelationships.compactMap { toOnes[ObjectIdentifier($0)]?.column }
        let foreign = (inverselessToManys[ObjectIdentifier(entity)] ?? [])
            .compactMap { foreignKeys[ObjectIdentifier($0)]?.column }
        for column in keys + foreign { addPlainIndex("\(table)_\(column)_INDEX", table, [column]) }
    }

    /// The table's own key finds pairs from one end; this index finds them from the other.
    private mutating func addJoinIndexes(of entity: NSEntityDescription) {
        for relationship in entity.storedRelationships {
            let identifier = ObjectIdentifier(relationship)
            guard namesakes.contains(identifier), let join = joins[identifier] else { continue }
            addPlainIndex("\(join.table)_\(join.otherColumn)_INDEX", join.table, [join.otherColumn, join.ownColumn])
        }
    }

    private mutating func addPlainIndex(_ name: String, _ table: String, _ columns: [String]) {
        add(
            IndexDefinition(
                name: name, table: table, isUnique: false, elements: columns.map { .init(column: $0, isAscending: nil) }
            ))
    }

    /// An attribute that is marked as indexed has an index of its own; so has, by the model compiler's doing, the
    /// attribute of a fetch index that has no other element.
    private mutating func addPropertyIndexes(of entity: NSEntityDescription, _ table: String) {
        let single = entity.indexes.filter { $0.elements.count == 1 }.compactMap(\.elements.first)
            .filter { $0.collationType == .binary }.compactMap(\.propertyName)
        let marked = entity.storedAttributes.filter(\.isIndexed).map(\.name)
        for name in single + marked {
            guard let property = entity.propertiesByName[name], property is NSAttributeDescription else { continue }
            addIndex(of: entity, named: name, table, isUnique: false, [(name, true)])
        }
    }

    /// Spatial indexes and those over expressions are left out: an index changes no result, and no store that holds
    /// one was at hand. So is the predicate of a partial index, which then covers all rows.
    private mutating func addFetchIndexes(of entity: NSEntityDescription, _ table: String) {
        for index in entity.indexes where index.elements.allSatisfy({ $0.collationType == .binary }) {
            let elements = index.elements.map { ($0.propertyName ?? "", $0.isAscending) }
            addIndex(of: entity, named: index.name, table, isUnique: false, elements)
        }
    }

    private mutating func addCompoundIndexes(of entity: NSEntityDescription, _ table: String) {
        for names in entity.compoundIndexNames {
            addIndex(
                of: entity, named: names.joined(separator: "_"), table, isUnique: false, names.map { ($0, true) })
        }
    }

    private mutating func addUniqueIndexes(of entity: NSEntityDescription, _ table: String) {
        for names in entity.uniquenessConstraintNames {
            let name = "UNIQUE_" + names.joined(separator: "_")
            addIndex(of: entity, named: name, table, isUnique: true, names.map { ($0, true) })
        }
    }

    private mutating func addIndex(
        of entity: NSEntityDescription, named name: String, _ table: String, isUnique: Bool,
        _ elements: [(property: String, isAscending: Bool)]
    ) {
        let columns = elements.map { column(of: $0.property, in: entity) }
        guard !columns.isEmpty, !columns.contains(nil) else { return }
        let parts = zip(columns, elements).compactMap { column, element in
            column.map { IndexDefinition.Element(column: $0, isAscending: element.isAscending) }
        }
        add(
            IndexDefinition(
                name: "Z_\(entity.name ?? "")_\(name)", table: table, isUnique: isUnique, elements: parts))
    }

    /// The column of an attribute, or the key column of a to-one relationship.
    private func column(of property: String, in entity: NSEntityDescription) -> String? {
        guard let description = entity.propertiesByName[property] else { return nil }
        let identifier = ObjectIdentifier(description)
        if let mappings = attributes[identifier] { return mappings.count == 1 ? mappings[0].column : nil }
        return toOnes[identifier]?.column
    }

    // SQLite compares names of indexes without regard to case.
    private mutating func add(_ index: IndexDefinition) {
        guard indexNames.insert(index.name.lowercased()).inserted else { return }
        indexes.append(index)
    }
}
