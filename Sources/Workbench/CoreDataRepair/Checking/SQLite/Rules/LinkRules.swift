import CoreData

/// Rules about the rows (links) of the join tables of many-to-many relationships.
struct LinkRules {
    let store: CheckedStore

    /// One side of a many-to-many relationship: its name, the entities of both sides and the join table.
    private struct Place {
        let name: String
        let owner: EntityMapping
        let target: EntityMapping
        let join: ToManyMapping.Join
        let inverse: String?
    }

    /// The rules, grouped by join table, in the order of the tables' names.
    var rules: [(table: String, rules: [RowRule])] {
        var byTable: [String: [RowRule]] = [:]
        for place in places { byTable[place.join.table, default: []] += rules(place) }
        return byTable.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Both sides of each many-to-many relationship; one side only of a relationship that is its own inverse.
    private var places: [Place] {
        var seen: Set<String> = []
        return store.schema.entities.flatMap { entity in
            entity.toManys.compactMap { toMany -> Place? in
                guard case .join(let join) = toMany.storage,
                    let target = store.schema.entity(number: toMany.destination),
                    store.has(join.table, join.ownColumn, join.otherColumn, join.orderColumn),
                    store.has(entity.table, "Z_PK", "Z_ENT"), store.has(target.table, "Z_PK", "Z_ENT"),
                    // The schema lists entities before their subentities: the first one declares the relationship.
                    seen.insert("\(join.table) \(join.ownColumn)").inserted
                else { return nil }
                return Place(name: toMany.name, owner: entity, target: target, join: join, inverse: toMany.inverse)
            }
        }
    }

    private func rules(_ place: Place) -> [RowRule] {
        var rules = [dangling(place)]
        if place.join.isReflexive {
            rules.append(dangling(place, otherEnd: true))
        }
        // The rules of both sides would find the same doubled link, so only one side has the rule. For a relationship
        // that is its own inverse, a link (a, b) beside (b, a) is not a fault: each of the two alone means the same.
        if place.join.isReflexive || place.join.ownColumn < place.join.otherColumn { rules.append(doubled(place)) }
        return rules
    }

    private func own(_ place: Place) -> String { SQLIdentifier.quoted(place.join.ownColumn) }

    private func other(_ place: Place) -> String { SQLIdentifier.quoted(place.join.otherColumn) }

    private func entityOfOwner(_ place: Place) -> String {
        "(SELECT o.Z_ENT FROM \(SQLIdentifier.quoted(place.owner.table)) o WHERE o.Z_PK = t.\(own(place)))"
    }

    /// Finds links whose own key (other key with `otherEnd`) is not the key of an object of that side's entity.
    private func dangling(_ place: Place, otherEnd: Bool = false) -> RowRule {
        let owner = otherEnd ? place.target : place.owner
        let column = otherEnd ? other(place) : own(place)
        let (far, farKey) = otherEnd ? (place.owner, own(place)) : (place.target, other(place))
        return RowRule(
            kind: .danglingLink, table: place.join.table, property: otherEnd ? place.name : place.inverse ?? place.name,
            condition: "NOT EXISTS (SELECT 1 FROM \(SQLIdentifier.quoted(owner.table)) o WHERE o.Z_PK = t.\(column) "
                + "AND o.Z_ENT IN (\(CheckedStore.list(owner.familyNumbers))))",
            key: "t.\(farKey)",
            entity: "(SELECT o.Z_ENT FROM \(SQLIdentifier.quoted(far.table)) o WHERE o.Z_PK = t.\(farKey))",
            detail: "t.\(column)",
            sentence: "A link of the table \(place.join.table) joins the object with the row # of the table "
                + "\(owner.table), which does not exist or is not of entity \(owner.name).",
            remedy: removal("The link goes.", place, ending: [(far.table, farKey)]))
    }

    /// Deletes the links of `temp.repairing` and increments the versions of the objects at the given ends.
    private func removal(_ text: String, _ place: Place, ending ends: [(table: String, key: String)]) -> RowRemedy {
        let delete = RowRemedy.delete(text, place.join.table)
        let join = SQLIdentifier.quoted(place.join.table)
        let versions = ends.map { table, key in
            "UPDATE \(SQLIdentifier.quoted(table)) AS t SET \(RowRemedy.nextVersion) WHERE t.Z_PK IN "
                + "(SELECT x.\(key) FROM \(join) x WHERE x.rowid IN (SELECT id FROM temp.repairing))"
        }
        return RowRemedy(text: text, statements: versions + delete.statements)
    }

    private func doubled(_ place: Place) -> RowRule {
        RowRule(
            kind: .doubledLink, table: place.join.table, property: place.name,
            // The window function numbers the links of each pair of keys in one pass over the table.
            condition: "t.rowid IN (SELECT id FROM (SELECT rowid id, row_number() OVER (PARTITION BY \(own(place)), "
                + "\(other(place)) ORDER BY rowid) n FROM \(SQLIdentifier.quoted(place.join.table))) WHERE n > 1)",
            key: "t.\(own(place))", entity: entityOfOwner(place), detail: "t.\(other(place))",
            sentence: "The object is joined with the row # of the table \(place.target.table) more than once.",
            remedy: removal(
                "One of the equal links is removed.", place,
                ending: [(place.owner.table, own(place)), (place.target.table, other(place))]))
    }
}
