import CoreDataStore

/// The steps that follow once all rows are in their new tables.
extension SchemaMigration {
    /// Returns the steps that set dangling keys to null, look up entity numbers, and assign positions in ordered
    /// relationships.
    func completion(of migration: TableMigration) -> [MigrationStep] {
        var steps: [MigrationStep] = []
        let q = SQLIdentifier.quoted
        let table = q(migration.table.name)
        for reference in references(in: migration) {
            guard
                let condition = correspondence.danglingCondition(
                    reference.column, of: migration.table.name, to: reference.target, formerly: reference.former)
            else { continue }
            let columns = [reference.column, reference.number, reference.order].compactMap(\.self).map {
                "\(q($0)) = NULL"
            }
            steps.append(
                MigrationStep(
                    .updateRows, subject: reference.subject,
                    sql: "UPDATE \(table) SET \(columns.joined(separator: ", ")) WHERE \(condition)"))
        }
        for lookup in migration.origins.lookups {
            let (key, number, target) = (q(lookup.key), q(lookup.number), q(lookup.table))
            steps.append(
                MigrationStep(
                    .updateRows, subject: migration.root.name,
                    sql:
                        "UPDATE \(table) SET \(number) = (SELECT d.Z_ENT FROM \(target) d WHERE d.Z_PK = \(table).\(key)) "
                        + "WHERE \(key) IS NOT NULL"))
        }
        for place in migration.origins.places {
            steps.append(
                Placing(
                    table: migration.table.name, owner: place.key, member: "Z_PK", order: place.order, isJoin: false
                ).step(migration.root.name))
        }
        return steps
    }

    /// A column with keys of other rows, and the columns that belong to it.
    private struct Reference: Hashable {
        let subject: String
        let column: String
        let number: String?
        let order: String?
        let target: EntityMapping
        let former: EntityMapping?

        static func == (one: Self, other: Self) -> Bool { one.column == other.column }

        func hash(into hasher: inout Hasher) { hasher.combine(column) }
    }

    private func references(in migration: TableMigration) -> [Reference] {
        let schema = correspondence.new.schema
        var references: [Reference] = []
        for pair in migration.pairs {
            for toOne in pair.after.toOnes {
                guard let target = schema.entity(number: toOne.destination) else { continue }
                references.append(
                    Reference(
                        subject: "\(pair.after.name).\(toOne.name)", column: toOne.column, number: toOne.entityColumn,
                        order: toOne.orderColumn, target: target,
                        former: pair.new.relationshipsByName[toOne.name].flatMap {
                            correspondence.formerDestination(of: $0, pair)
                        }))
            }
            for key in pair.after.foreignKeys {
                guard let target = schema.entity(number: key.owner) else { continue }
                references.append(
                    Reference(
                        subject: "\(target.name).\(key.relationship)", column: key.column, number: nil,
                        order: key.orderColumn, target: target, former: nil))
            }
        }
        var seen = Set<Reference>()
        return references.filter { seen.insert($0).inserted && migration.origins.sources[$0.column] != nil }
    }

    /// Queries for rows without a value that the new model requires. An inferred migration never has such rows; in a
    /// staged migration, an earlier stage must have set the values.
    var requiredValueChecks: [MigrationStep] {
        correspondence.kept.flatMap { pair in
            pair.new.properties.filter { !$0.isOptional && $0.isStored }.compactMap { property -> MigrationStep? in
                let wasRequired = pair.origins[property.name].map { !$0.isOptional } ?? false
                guard !wasRequired, (property as? NSAttributeDescription)?.defaultValue == nil,
                    !(property is NSDerivedAttributeDescription),
                    let column = pair.after.attribute(property.name)?.column ?? pair.after.toOne(property.name)?.column
                else { return nil }
                let q = SQLIdentifier.quoted
                let condition = pair.after.isAloneInTable ? "" : " AND Z_ENT = \(pair.after.number)"
                let sql =
                    "SELECT count(*) FROM \(q(pair.after.table)) WHERE \(q(column)) IS NULL\(condition) "
                    + "HAVING count(*) > 0"
                return MigrationStep(
                    .checkRequired, subject: pair.after.name, text: SQLText(sql), properties: [property.name])
            }
        }
    }

    /// The steps for one-to-one relationships whose inverse is new: if several rows refer to the same one, only the row
    /// that the inverse refers to keeps its reference.
    var reciprocity: [MigrationStep] {
        tables.flatMap { migration in
            var seen = Set<String>()
            return migration.pairs.flatMap { pair in
                pair.after.toOnes.filter { seen.insert($0.column).inserted }.compactMap {
                    reciprocity($0, pair: pair, table: migration.table.name)
                }
            }
        }
    }

    private func reciprocity(_ toOne: ToOneMapping, pair: EntityPair, table: String) -> MigrationStep? {
        guard let relationship = pair.new.relationshipsByName[toOne.name],
            let inverse = relationship.inverseRelationship, !inverse.isToMany, inverse !== relationship,
            !correspondence.origins(of: relationship).isEmpty, correspondence.origins(of: inverse).isEmpty,
            let target = correspondence.new.schema.entity(number: toOne.destination),
            let back = target.toOne(inverse.name)
        else { return nil }
        let q = SQLIdentifier.quoted
        let columns = [toOne.column, toOne.entityColumn].compactMap(\.self).map { "\(q($0)) = NULL" }
        let key = "\(q(table)).\(q(toOne.column))"
        return MigrationStep(
            .updateRows, subject: "\(pair.after.name).\(toOne.name)",
            sql: "UPDATE \(q(table)) SET \(columns.joined(separator: ", ")) WHERE \(key) IS NOT NULL AND NOT EXISTS "
                + "(SELECT 1 FROM \(q(target.table)) d WHERE d.Z_PK = \(key) AND d.\(q(back.column)) = \(q(table)).Z_PK)"
        )
    }
}
