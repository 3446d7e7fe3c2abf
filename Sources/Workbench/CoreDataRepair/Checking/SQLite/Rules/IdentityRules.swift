import CoreData

/// Rules about the columns that every row of an entity's table has: key, entity number and version.
struct IdentityRules {
    let store: CheckedStore

    func rules(of table: String) -> [RowRule] { [entityNumber(table), version(table)] + keys(table) }

    private func entityNumber(_ table: String) -> RowRule {
        let concrete = store.entities(in: table).filter { !$0.isAbstract }.map(\.number)
        let only = concrete.count == 1 ? concrete.first : nil
        // The row's number is not that of an entity of the table, so the finding's object has no entity name. The
        // repair knows the right number only if the table has a single concrete entity.
        return RowRule(
            kind: .unknownEntity, table: table,
            condition: "ifnull(t.Z_ENT NOT IN (\(CheckedStore.list(concrete))), 1)", detail: "t.Z_ENT",
            sentence: "The row of the table \(table) has the entity number #, of which no object can exist.",
            remedy: only.map {
                .assign(
                    "It gets the number \($0), since all objects of the table are of that entity.", table: table,
                    values: [("Z_ENT", "\($0)")])
            }, changes: only.map { .init(entity: "\($0)", key: "t.Z_PK", property: nil) })
    }

    private func version(_ table: String) -> RowRule {
        RowRule(
            kind: .badVersion, table: table, condition: "typeof(t.Z_OPT) <> 'integer' OR t.Z_OPT < 0",
            sentence: "Its version (Z_OPT) is not a number that a row can have, so changes by others go unnoticed.",
            remedy: .assign("Its version is set again.", table: table, values: []))
    }

    /// Rules about keys. They have no remedy, because other rows, also in other stores, may refer to a row by its key.
    private func keys(_ table: String) -> [RowRule] {
        [
            RowRule(
                kind: .badKey, table: table, condition: "t.Z_PK <= 0",
                sentence: "Its key is not above 0, as all keys are that Core Data gives out."),
            RowRule(
                kind: .badKey, table: table, condition: "t.Z_PK = 9223372036854775807",
                sentence: "Its key is the greatest that there is, so no further object can be saved in the table."),
        ]
    }
}
