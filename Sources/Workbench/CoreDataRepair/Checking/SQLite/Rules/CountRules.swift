import CoreData

/// Rules about the minimum and maximum counts of to-many relationships.
struct CountRules {
    let store: CheckedStore

    func rules(of table: String) -> [RowRule] {
        var rules: [RowRule] = []
        var entities: [String: [Int]] = [:]
        for entity in store.entities(in: table) {
            for toMany in entity.toManys { entities[place(toMany), default: []].append(entity.number) }
        }
        for entity in store.entities(in: table) {
            let relationships = store.model.entitiesByName[entity.name]?.relationshipsByName ?? [:]
            for toMany in entity.toManys {
                // The schema lists entities before their subentities: the first one declares the relationship.
                guard let numbers = entities.removeValue(forKey: place(toMany)),
                    let relationship = relationships[toMany.name], let count = count(toMany, entity)
                else { continue }
                let scope = store.isOne(of: numbers, in: table)
                rules += self.rules(relationship, table, scope: scope, count: count)
            }
        }
        return rules
    }

    private func place(_ toMany: ToManyMapping) -> String {
        switch toMany.storage {
        case .foreignKey(let key): "\(toMany.name) \(key.table) \(key.column)"
        case .join(let join): "\(toMany.name) \(join.table) \(join.ownColumn)"
        }
    }

    private func rules(
        _ relationship: NSRelationshipDescription, _ table: String, scope: String, count: String
    ) -> [RowRule] {
        let (least, most) = (relationship.minCount, relationship.maxCount)
        var rules: [RowRule] = []
        func add(_ kind: StoreFinding.Kind, _ condition: String, _ sentence: String) {
            rules.append(
                RowRule(
                    kind: kind, table: table, property: relationship.name, condition: "\(scope) AND \(condition)",
                    sentence: sentence))
        }
        if least > 0, !relationship.isOptional {
            add(.missingValue, "\(count) = 0", "The relationship is required and leads to no object.")
        }
        if least > 1 {
            add(
                .brokenRule, "\(count) BETWEEN 1 AND \(least - 1)",
                "The relationship leads to fewer than the \(least) objects that the model demands.")
        }
        if most > 0 {
            add(
                .brokenRule, "\(count) > \(most)",
                "The relationship leads to more than the \(most) objects that the model allows.")
        }
        return rules
    }

    /// An SQL expression for the number of objects in the to-many relationship of the row `t`; nil if the file lacks
    /// the table or the columns that store the relationship.
    private func count(_ toMany: ToManyMapping, _ owner: EntityMapping) -> String? {
        let quoted = SQLIdentifier.quoted
        switch toMany.storage {
        case .foreignKey(let key):
            guard store.has(key.table, key.column, key.entityColumn) else { return nil }
            let entity = key.entityColumn.map { " AND (m.\(quoted($0)) = t.Z_ENT OR m.\(quoted($0)) IS NULL)" } ?? ""
            return "(SELECT count(*) FROM \(quoted(key.table)) m WHERE m.\(quoted(key.column)) = t.Z_PK\(entity))"
        case .join(let join):
            guard store.has(join.table, join.ownColumn, join.otherColumn) else { return nil }
            let (own, other) = (quoted(join.ownColumn), quoted(join.otherColumn))
            let pairs = "SELECT \(other) FROM \(quoted(join.table)) WHERE \(own) = t.Z_PK"
            let back = "SELECT \(own) FROM \(quoted(join.table)) WHERE \(other) = t.Z_PK"
            return "(SELECT count(*) FROM (\(join.isReflexive ? pairs + " UNION " + back : pairs)))"
        }
    }
}
