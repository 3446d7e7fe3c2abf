import CoreDataStore

/// Compiles derived attributes to the SQL statements with which a save computes them.
package struct DerivationCompiler {
    private let compiler: QueryCompiler
    private var schema: StoreSchema { compiler.schema }

    package init(schema: StoreSchema, model: ModelLayout, dialect: SQLDialect = .sqlite) {
        // No derivation compares object IDs, so the store's identifier plays no part.
        compiler = QueryCompiler(schema: schema, model: model, storeIdentifier: "", dialect: dialect)
    }

    /// Compiles an attribute; nil for a derivation that SQL cannot express, or that uses properties that are not
    /// stored.
    ///
    /// `number` is the attribute's number for `SavedDerivation.functionName`.
    package func derivation(of attribute: NSDerivedAttributeDescription, number: Int) -> SavedDerivation? {
        guard let entity = attribute.entity, let mapping = schema.entity(named: entity.name ?? ""),
            let column = mapping.attribute(attribute.name)?.column,
            let formula = DerivationFormula(of: attribute, in: entity)
        else { return nil }
        let values = formula.expression.flatMap { try? self.values(of: $0, mapping, number) }
        guard formula.expression == nil || values != nil, let dependencies = dependencies(of: formula, mapping) else {
            return nil
        }
        return SavedDerivation(
            attribute: attribute, entity: entity, table: mapping.table, column: column, collection: formula.collection,
            dependencies: dependencies, constraints: constraints(on: attribute.name, of: entity),
            isWithinOneTable: formula.collection.map { Self.isWithinOneTable($0, mapping) } ?? false,
            keepsType: Self.keepsType(attribute, formula: formula, entity: entity), values: values?.sql,
            kind: values?.kind ?? .date)
    }

    // MARK: Values

    /// Returns the query for the keys and values of rows, with the list of keys as its only parameter; nil if the
    /// expression's result is not a single value.
    private func values(
        of expression: NSExpression, _ mapping: EntityMapping, _ number: Int
    ) throws -> (sql: String, kind: ValueKind)? {
        var translator = QueryTranslator(compiler, entity: mapping)
        guard case .scalar(let value, let kind) = try translator.operand(expression) else { return nil }
        let stored = SQLExpression.call(
            SavedDerivation.functionName, [.number(number), value])
        let select = SQLSelect(
            result: .keyed(translator.root.key, stored), source: translator.sources[0],
            condition: .conjunction([
                Self.condition(on: translator.root, mapping),
                .listed(.column(translator.root.key), SQLList(encoding: .integers, json: "[]")),
            ]))
        var renderer = SQLRenderer(compiler.dialect)
        try renderer.append(select)
        return renderer.parameters.count == 1 ? (renderer.sql, kind) : nil
    }

    /// Returns the condition that a row's entity has the attribute. The entity numbers are part of the SQL text, as the
    /// list of keys is the only parameter.
    private static func condition(on record: Record, _ mapping: EntityMapping) -> SQLExpression {
        guard mapping.number != mapping.rootNumber else { return .truth(true) }
        let column = SQLExpression.column(SQLColumn(record.key.alias, "Z_ENT"))
        return .disjunction(mapping.familyNumbers.map { .comparison(.equal, column, .number($0)) })
    }

    // MARK: Dependencies

    /// Returns the other rows whose changes change the values; nil if a relationship of the derivation is not stored.
    private func dependencies(
        of formula: DerivationFormula, _ mapping: EntityMapping
    ) -> [SavedDerivation.Dependency]? {
        if let collection = formula.collection {
            guard let members = collection.destinationEntity, let toMany = mapping.toMany(collection.name) else {
                return nil
            }
            var properties = formula.attribute.map { [$0] } ?? []
            if case .foreignKey = toMany.storage { properties += toMany.inverse.map { [$0] } ?? [] }
            return [.init(source: members, properties: properties, owners: owners(toMany.storage))]
        }
        return referrers(along: formula, mapping)
    }

    private static func isWithinOneTable(_ collection: NSRelationshipDescription, _ mapping: EntityMapping) -> Bool {
        guard case .foreignKey(let key) = mapping.toMany(collection.name)?.storage else { return false }
        return key.table == mapping.table
    }

    /// Whether the column of a derived attribute and that of the attribute at the end of its path store values in the
    /// same form.
    private static func keepsType(
        _ attribute: NSAttributeDescription, formula: DerivationFormula, entity: NSEntityDescription
    ) -> Bool {
        let end = formula.collection ?? formula.path.last
        guard let name = formula.attribute,
            let source = (end.map(\.destinationEntity) ?? entity)?.attributesByName[name]
        else { return true }
        return source.attributeType == attribute.attributeType && !source.allowsExternalBinaryDataStorage
            && !attribute.allowsExternalBinaryDataStorage
    }

    /// The SQL for the list of keys, the only parameter of a query for owners.
    private var keys: String { compiler.dialect.keyList }

    private func owners(_ storage: ToManyMapping.Storage) -> String {
        let quoted = SQLIdentifier.quoted
        switch storage {
        case .foreignKey(let key):
            return "SELECT \(quoted(key.column)) FROM \(compiler.dialect.table(key.table)) WHERE Z_PK IN \(keys)"
        case .join(let join):
            let (table, own, other) = (
                compiler.dialect.table(join.table), quoted(join.ownColumn), quoted(join.otherColumn)
            )
            let owners = "SELECT \(own) FROM \(table) WHERE \(other) IN \(keys)"
            return join.isReflexive ? owners + " UNION SELECT \(other) FROM \(table) WHERE \(own) IN \(keys)" : owners
        }
    }

    /// Returns for each step of a path the query that finds the rows with the derived attribute from keys of the step's
    /// rows.
    private func referrers(
        along formula: DerivationFormula, _ mapping: EntityMapping
    ) -> [SavedDerivation.Dependency]? {
        var dependencies: [SavedDerivation.Dependency] = []
        var query = { (keys: String) in keys }
        var owner = mapping
        for (index, relationship) in formula.path.enumerated() {
            guard let target = relationship.destinationEntity, let next = schema.entity(named: target.name ?? ""),
                let column = owner.toOne(relationship.name)?.column
            else { return nil }
            let (table, outer) = (compiler.dialect.table(owner.table), query)
            let step = "SELECT Z_PK FROM \(table) WHERE \(SQLIdentifier.quoted(column)) IN "
            query = { outer(index == 0 ? step + $0 : "(" + step + $0 + ")") }
            let following = index + 1 < formula.path.count ? formula.path[index + 1].name : formula.attribute
            dependencies.append(
                .init(source: target, properties: following.map { [$0] } ?? [], owners: query(keys)))
            owner = next
        }
        return dependencies
    }

    // MARK: Constraints

    private func constraints(on name: String, of entity: NSEntityDescription) -> [SavedDerivation.Constraint] {
        compiler.model.entities.map(\.entity).filter { $0.isKindOf(entity: entity) }.flatMap { declaring in
            declaring.uniquenessConstraintNames.filter { $0.contains(name) }.compactMap { names in
                let others = names.filter { $0 != name }.map { self.column(of: $0, in: declaring) }
                guard !others.contains(nil) else { return nil }
                return SavedDerivation.Constraint(names: names, otherColumns: others.compactMap(\.self))
            }
        }
    }

    private func column(of name: String, in entity: NSEntityDescription) -> String? {
        let mapping = schema.entity(named: entity.name ?? "")
        guard let path = PropertyPath(name, in: entity) else { return nil }
        let attribute = mapping?.attributes.first {
            $0.name == path.property.name && $0.elementPath == path.elementPath
        }
        return attribute?.column ?? mapping?.toOne(name)?.column
    }
}
