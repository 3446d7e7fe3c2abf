import CoreData
import SQLiteKit

/// Checks `Z_PRIMARYKEY`, whose `Z_MAX` is the greatest key assigned in each table; a lower one would assign keys
/// again.
struct KeyCounterCheck {
    let store: CheckedStore

    func faults() throws -> [StoreFault] {
        guard store.has("Z_PRIMARYKEY", "Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX") else {
            let rows = store.schema.entities.map { insertion($0, "0") }
            let table = StoreSchema.bookkeepingStatements[0]
            return [
                StoreFault(
                    finding: StoreFinding(
                        .keyCounter, "The table Z_PRIMARYKEY is missing, or has not its columns.",
                        remedy: store.raw.table(named: "Z_PRIMARYKEY") == nil ? "It is made from the rows." : nil),
                    statements: store.raw.table(named: "Z_PRIMARYKEY") == nil ? [(table, [])] + rows : [])
            ]
        }
        return try store.schema.entities.compactMap(fault)
    }

    private func fault(_ entity: EntityMapping) throws -> StoreFault? {
        let rows = try store.connection.rows(
            "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(Int64(entity.number))])
        guard let row = rows.first else {
            return StoreFault(
                finding: StoreFinding(
                    .keyCounter, "The entity \(entity.name) has no row in Z_PRIMARYKEY.", entity: entity.name,
                    remedy: "It gets one."),
                statements: [insertion(entity, greatest(entity))])
        }
        guard entity.number == entity.rootNumber, store.has(entity.table, "Z_PK") else { return nil }
        let last =
            try store.connection.value("SELECT max(Z_PK) FROM \(SQLIdentifier.quoted(entity.table))")?.integer ?? 0
        let reason: String
        if let counted = row[0].integer {
            guard counted < max(last, 0) || counted < 0 else { return nil }
            reason = counted < 0 ? "is negative" : "is below the greatest key \(last)"
        } else {
            reason = "is not a number"
        }
        return StoreFault(
            finding: StoreFinding(
                .keyCounter, "The greatest key given out (Z_MAX) for \(entity.name) \(reason).", entity: entity.name,
                remedy: "It becomes \(max(last, 0))."),
            statements: [
                (
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = \(greatest(entity)) WHERE Z_ENT = ?",
                    [.integer(Int64(entity.number))]
                )
            ])
    }

    private func greatest(_ entity: EntityMapping) -> String {
        guard entity.number == entity.rootNumber, store.has(entity.table, "Z_PK") else { return "0" }
        return "max(0, ifnull((SELECT max(Z_PK) FROM \(SQLIdentifier.quoted(entity.table))), 0))"
    }

    private func insertion(_ entity: EntityMapping, _ greatest: String) -> (sql: String, values: [StatementValue]) {
        (
            "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, \(greatest))",
            [.integer(Int64(entity.number)), .text(entity.name), .integer(Int64(entity.superNumber))]
        )
    }
}
