import CoreDataStore

extension SchemaBuilder {
    /// Adds the indexes of one table and of the join tables that belong to its entities.
    mutating func addIndexes(of root: NSEntityDescription, tree: [NSEntityDescription]) {
        let table = table(of: root)
        for entity in tree { addKeyIndexes(of: entity, table) }
        if tree.count > 1 { addPlainIndex("\(table)_Z_ENT_INDEX", table: table, columns: ["Z_ENT"]) }
        for entity in tree { addJoinIndexes(of: entity) }
        for entity in tree {
            addPropertyIndexes(of: entity, table)
            addFetchIndexes(of: entity, table)
            addSpatialIndexes(of: entity, table)
            addCompoundIndexes(of: entity, table)
            addUniqueIndexes(of: entity, table)
        }
    }

    private mutating func addKeyIndexes(of entity: NSEntityDescription, _ table: String) {
        let keys = entity.storedRelationships.compactMap { toOnes[ObjectIdentifier($0)]?.column }
        let foreign = (inverselessToManys[ObjectIdentifier(entity)] ?? [])
            .compactMap { foreignKeys[ObjectIdentifier($0)]?.column }
        for column in keys + foreign { addPlainIndex("\(table)_\(column)_INDEX", table: table, columns: [column]) }
    }

    /// Adds an index by the other end; the join table's primary key only finds pairs from the end that it begins with.
    private mutating func addJoinIndexes(of entity: NSEntityDescription) {
        for relationship in entity.storedRelationships {
            let identifier = ObjectIdentifier(relationship)
            guard namesakes.contains(identifier), let join = joins[identifier] else { continue }
            addPlainIndex(
                "\(join.table)_\(join.otherColumn)_INDEX", table: join.table,
                columns: [join.otherColumn, join.ownColumn])
        }
    }

    private mutating func addPlainIndex(_ name: String, table: String, columns: [String]) {
        add(
            IndexDefinition(
                name: name, table: table, isUnique: false, elements: columns.map { .init(column: $0, isAscending: nil) }
            ))
    }

    /// Adds an index for each attribute that is marked as indexed, and, as the model compiler does, for each attribute
    /// that is the only element of a fetch index over all rows.
    private mutating func addPropertyIndexes(of entity: NSEntityDescription, _ table: String) {
        let single = entity.indexes.filter { $0.elements.count == 1 && $0.partialIndexPredicateFormat == nil }
            .compactMap(\.elements.first)
            .filter { $0.collationType == .binary && $0.indexedExpression == nil }.compactMap(\.propertyName)
        let marked = entity.storedAttributes.filter(\.isIndexed).map(\.name)
        for name in single + marked {
            guard let property = entity.propertiesByName[name], property is NSAttributeDescription else { continue }
            addIndex(of: entity, named: name, table, isUnique: false, [(name, true)])
        }
    }

    /// Adds the fetch indexes. One over an expression that is not a column is left out, as an index changes no result.
    /// If the predicate of a partial index uses more than the entity's own columns, the index covers all rows.
    private mutating func addFetchIndexes(of entity: NSEntityDescription, _ table: String) {
        for index in entity.indexes where index.elements.allSatisfy({ $0.collationType == .binary }) {
            let columns = index.elements.map { column(of: $0, in: entity) }
            add(
                of: entity, named: index.name, table, isUnique: false,
                zip(columns, index.elements).map { ($0, $1.isAscending) }, where: condition(of: index, in: entity))
        }
    }

    private func condition(
        of index: NSFetchIndexDescription, in entity: NSEntityDescription
    ) -> IndexCondition? {
        index.partialIndexPredicate.flatMap { predicate in
            IndexCondition(predicate) { name in
                guard let column = column(of: name, in: entity), let path = PropertyPath(name, in: entity) else {
                    return nil
                }
                return (column, (path.end as? NSAttributeDescription)?.attributeType)
            }
        }
    }

    /// Adds the R-trees over one to five numbers or dates; one over other attributes is left out.
    private mutating func addSpatialIndexes(of entity: NSEntityDescription, _ table: String) {
        for index in entity.indexes {
            guard 1...SpatialIndex.greatestDimension ~= index.elements.count,
                index.elements.allSatisfy({ $0.collationType == .rTree && $0.indexedExpression == nil })
            else { continue }
            let columns = index.elements.compactMap { numericColumn(of: $0.propertyName ?? "", in: entity) }
            let name = "Z_RT_\(entity.name ?? "")_\(index.name)"
            guard columns.count == index.elements.count, Set(columns).count == columns.count,
                indexNames.insert(name.lowercased()).inserted
            else { continue }
            spatialIndexes.append(SpatialIndex(name: name, table: table, columns: columns))
        }
    }

    private func numericColumn(of property: String, in entity: NSEntityDescription) -> String? {
        guard let mapping = attribute(at: property, in: entity),
            [.integer, .float, .timestamp, .decimal].contains(mapping.columnType)
        else { return nil }
        return mapping.column
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
        add(
            of: entity, named: name, table, isUnique: isUnique,
            elements.map { (column(of: $0.property, in: entity), $0.isAscending) })
    }

    /// Adds an index if all its elements have columns.
    private mutating func add(
        of entity: NSEntityDescription, named name: String, _ table: String, isUnique: Bool,
        _ elements: [(column: String?, isAscending: Bool)], where condition: IndexCondition? = nil
    ) {
        let parts = elements.compactMap { column, isAscending in
            column.map { IndexDefinition.Element(column: $0, isAscending: isAscending) }
        }
        guard !parts.isEmpty, parts.count == elements.count else { return }
        add(
            IndexDefinition(
                name: "Z_\(entity.name ?? "")_\(name)", table: table, isUnique: isUnique, elements: parts,
                condition: condition))
    }

    /// Returns the column of an index element; `SELF` means the row's key, `entity` the number of its entity.
    private func column(of element: NSFetchIndexElementDescription, in entity: NSEntityDescription) -> String? {
        guard let expression = element.indexedExpression else {
            return column(of: element.propertyName ?? "", in: entity)
        }
        switch expression {
        case .row: return "Z_PK"
        case .entity: return "Z_ENT"
        case .property(let name): return column(of: name, in: entity)
        case .other: return nil
        }
    }

    /// Returns the column of an attribute or of an element of a composite one, or the key column of a to-one
    /// relationship.
    private func column(of path: String, in entity: NSEntityDescription) -> String? {
        if let mapping = attribute(at: path, in: entity) { return mapping.column }
        return entity.propertiesByName[path].flatMap { toOnes[ObjectIdentifier($0)]?.column }
    }

    /// Returns the mapping of an attribute or of an element of a composite one; nil for a composite itself, which has
    /// no column.
    private func attribute(at path: String, in entity: NSEntityDescription) -> AttributeMapping? {
        guard let path = PropertyPath(path, in: entity) else { return nil }
        return attributes[ObjectIdentifier(path.property)]?.first { $0.elementPath == path.elementPath }
    }

    // SQLite compares index names case-insensitively.
    private mutating func add(_ index: IndexDefinition) {
        guard indexNames.insert(index.name.lowercased()).inserted else { return }
        indexes.append(index)
    }
}
