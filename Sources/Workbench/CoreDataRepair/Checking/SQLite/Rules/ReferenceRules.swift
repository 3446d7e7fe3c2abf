import CoreData

/// Rules about foreign keys: of to-one relationships, and, in the members' rows, of to-many ones without inverse.
struct ReferenceRules {
    let store: CheckedStore

    /// A foreign key column of a table with the numbers of the entities whose relationship it stores.
    private struct Place {
        let name: String
        let column: String
        let entityColumn: String?
        let orderColumn: String?
        let target: EntityMapping
        let inverse: String?
        let isRequired: Bool
        var entities: [Int]
    }

    func rules(of table: String) -> [RowRule] {
        places(in: table).flatMap { place in
            var rules = targets(place, table) + halves(place, table)
            if place.isRequired {
                rules.append(
                    rule(
                        .missingValue, place: place, table: table, condition: "\(column(place)) IS NULL",
                        sentence: "The relationship is required and leads to no object.", remedy: nil))
            }
            return rules
        }
    }

    private func places(in table: String) -> [Place] {
        var places: [Place] = []
        var known: [String: Int] = [:]
        func add(_ place: Place, _ number: Int) {
            if let index = known[place.column] { return places[index].entities.append(number) }
            known[place.column] = places.count
            places.append(place)
        }
        for entity in store.entities(in: table) {
            let relationships = store.model.entitiesByName[entity.name]?.relationshipsByName ?? [:]
            for toOne in entity.toOnes where store.has(table, toOne.column, toOne.entityColumn, toOne.orderColumn) {
                guard let target = target(toOne.destination) else { continue }
                add(
                    Place(
                        name: toOne.name, column: toOne.column, entityColumn: toOne.entityColumn,
                        orderColumn: toOne.orderColumn, target: target,
                        inverse: relationships[toOne.name]?.answeringInverse?.name,
                        isRequired: relationships[toOne.name]?.isOptional == false, entities: [entity.number]),
                    entity.number)
            }
            for key in entity.foreignKeys where store.has(table, key.column, key.orderColumn) {
                guard let target = target(key.owner) else { continue }
                add(
                    Place(
                        name: "\(target.name).\(key.relationship)", column: key.column, entityColumn: nil,
                        orderColumn: key.orderColumn, target: target, inverse: nil, isRequired: false,
                        entities: [entity.number]), entity.number)
            }
        }
        return places
    }

    /// The entity with a number; nil if the schema has none, or if the file lacks its table or the columns `Z_PK`,
    /// `Z_ENT`.
    private func target(_ number: Int) -> EntityMapping? {
        store.schema.entity(number: number).flatMap { store.has($0.table, "Z_PK", "Z_ENT") ? $0 : nil }
    }

    private func column(_ place: Place) -> String { "t." + SQLIdentifier.quoted(place.column) }

    private func rule(
        _ kind: StoreFinding.Kind, place: Place, table: String, condition: String, sentence: String,
        remedy: RowRemedy?, changes: RowRule.Change? = nil
    ) -> RowRule {
        RowRule(
            kind: kind, table: table, property: place.name,
            condition: "\(store.isOne(of: place.entities, in: table)) AND \(condition)", detail: column(place),
            sentence: sentence, remedy: remedy, changes: changes)
    }

    private func emptied(_ place: Place, table: String, text: String) -> RowRemedy {
        let columns = [place.column, place.entityColumn, place.orderColumn].compactMap(\.self)
        return .assign(text, table: table, values: columns.map { ($0, "NULL") })
    }

    // MARK: Targets

    private func targets(_ place: Place, _ table: String) -> [RowRule] {
        let quoted = SQLIdentifier.quoted(place.target.table)
        let found = "SELECT 1 FROM \(quoted) d WHERE d.Z_PK = \(column(place))"
        let family = CheckedStore.list(place.target.familyNumbers)
        let set = "\(column(place)) IS NOT NULL"
        var rules = [
            rule(
                .danglingReference, place: place, table: table, condition: "\(set) AND NOT EXISTS (\(found))",
                sentence:
                    "The relationship leads to the row # of the table \(place.target.table), which does not exist.",
                remedy: emptied(place, table: table, text: "The relationship becomes nil."))
        ]
        guard !place.target.isAloneInTable else { return rules }
        rules.append(
            rule(
                .wrongReference, place: place, table: table,
                condition: "\(set) AND EXISTS (\(found) AND ifnull(d.Z_ENT NOT IN (\(family)), 1))",
                sentence:
                    "The relationship leads to the row # of the table \(place.target.table), which is not of entity \(place.target.name).",
                remedy: emptied(place, table: table, text: "The relationship becomes nil.")))
        guard let entityColumn = place.entityColumn else { return rules }
        let number = "t." + SQLIdentifier.quoted(entityColumn)
        rules.append(
            rule(
                .wrongReference, place: place, table: table,
                condition: "\(set) AND EXISTS (\(found) AND d.Z_ENT IN (\(family)) AND d.Z_ENT IS NOT \(number))",
                sentence: "The entity number kept beside the key # is not that of the row.",
                remedy: .assign(
                    "The number becomes that of the row.", table: table,
                    values: [(entityColumn, "(SELECT d.Z_ENT FROM \(quoted) d WHERE d.Z_PK = \(column(place)))")])))
        return rules
    }

    // MARK: Halves

    /// Rules about one-to-one relationships whose foreign keys at both sides do not refer to each other.
    ///
    /// If an object is referred to and its own side is nil, the repair sets that side to the referring object, the one
    /// with the lowest key if there are several. After that, it sets each foreign key that the other side does not
    /// return to nil.
    private func halves(_ place: Place, _ table: String) -> [RowRule] {
        guard let name = place.inverse, let inverse = place.target.toOne(name),
            store.has(place.target.table, inverse.column, inverse.entityColumn)
        else { return [] }
        let target = SQLIdentifier.quoted(place.target.table)
        let other = "d." + SQLIdentifier.quoted(inverse.column)
        let family = CheckedStore.list(place.target.familyNumbers)
        let owners = CheckedStore.list(place.entities)
        let own = SQLIdentifier.quoted(place.column)
        let first =
            "(SELECT min(x.Z_PK) FROM \(SQLIdentifier.quoted(table)) x WHERE x.\(own) = d.Z_PK AND x.Z_ENT IN (\(owners)))"
        let missing = "\(other) IS NULL AND \(first) = t.Z_PK"
        let found = "SELECT 1 FROM \(target) d WHERE d.Z_PK = \(column(place)) AND d.Z_ENT IN (\(family))"
        var filled = [
            "UPDATE \(target) AS t SET \(SQLIdentifier.quoted(inverse.column)) = (\(keyOfFirst(own, table: table, owners: owners)))"
        ]
        if let entityColumn = inverse.entityColumn {
            filled.append(
                "\(SQLIdentifier.quoted(entityColumn)) = (SELECT x.Z_ENT FROM \(SQLIdentifier.quoted(table)) x WHERE "
                    + "x.Z_PK = (\(keyOfFirst(own, table: table, owners: owners))))")
        }
        filled.append(RowRemedy.nextVersion)
        let rowsToFill =
            "SELECT x.\(own) FROM \(SQLIdentifier.quoted(table)) x WHERE x.rowid IN (SELECT id FROM temp.repairing)"
        var missingHalf = rule(
            .oneSided, place: place, table: table, condition: "EXISTS (\(found) AND \(missing))",
            sentence: "The object # does not lead back by its relationship '\(name)', which leads nowhere.",
            remedy: RowRemedy(
                text: "The relationship '\(name)' of the other object leads here.",
                statements: ["\(filled.joined(separator: ", ")) WHERE t.Z_PK IN (\(rowsToFill))"]),
            changes: .init(
                entity: "(SELECT d.Z_ENT FROM \(target) d WHERE d.Z_PK = \(column(place)))", key: column(place),
                property: name))
        if store.isOfApplesFramework {
            missingHalf.remark =
                "The object does not lead back by its relationship '\(name)', which Apple's framework left nil; a copy to XML "
                + "or binary needs --lossy."
        }
        return [
            missingHalf,
            rule(
                .oneSided, place: place, table: table,
                condition: "EXISTS (\(found) AND \(other) IS NOT t.Z_PK AND NOT ifnull(\(missing), 0))",
                sentence:
                    "The object # does not lead back by its relationship '\(name)', but elsewhere, or several lead to it.",
                remedy: emptied(place, table: table, text: "The relationship becomes nil, as it is not answered.")),
        ]
    }

    private func keyOfFirst(_ column: String, table: String, owners: String) -> String {
        "SELECT min(x.Z_PK) FROM \(SQLIdentifier.quoted(table)) x WHERE x.\(column) = t.Z_PK AND x.Z_ENT IN (\(owners))"
    }
}
