import CoreDataSQL
import SQLiteKit

/// Computes the derived attributes of a migrated store whose values cannot be copied from the old store.
struct MigratedDerivations {
    /// The number of rows that one statement computes; their keys are one parameter.
    private static let portion = 20_000

    private let connection: Connection
    private let schema: StoreSchema
    private let layouts: ModelLayout

    init(_ connection: Connection, layouts: ModelLayout, configuration: String?) {
        self.connection = connection
        self.layouts = layouts
        schema = StoreSchema(model: layouts.model, configuration: configuration)
    }

    func compute(after migration: SchemaMigration) throws {
        let compiler = DerivationCompiler(schema: schema, model: layouts)
        var derivations: [SavedDerivation] = []
        for attribute in migration.derivationsToCompute(layouts) {
            guard let derivation = compiler.derivation(of: attribute, number: derivations.count) else { continue }
            derivations.append(derivation)
        }
        guard !derivations.isEmpty else { return }
        try QueryFunctions.register(on: connection)
        try QueryFunctions.register(derivations, on: connection)
        for derivation in derivations { try compute(derivation) }
    }

    private func compute(_ derivation: SavedDerivation) throws {
        guard let mapping = schema.entity(named: derivation.entity.name ?? "") else { return }
        let family = mapping.familyNumbers.map(String.init).joined(separator: ", ")
        let condition = mapping.isAloneInTable ? "" : " AND Z_ENT IN (\(family))"
        // A time is set only where it is missing, since a migration does not count as an update of objects.
        let missing = derivation.isTime ? " AND \(SQLIdentifier.quoted(derivation.column)) IS NULL" : ""
        let keys = try connection.prepare(
            "SELECT Z_PK FROM \(SQLIdentifier.quoted(derivation.table)) WHERE Z_PK > ?\(condition)\(missing) "
                + "ORDER BY Z_PK LIMIT \(Self.portion)")
        let now = Value.real(Date().timeIntervalSinceReferenceDate)
        var last = Int64.min
        while true {
            try keys.bind([.integer(last)])
            var list: [String] = []
            while try keys.step() {
                last = keys.int64(0)
                list.append(String(last))
            }
            keys.reset()
            guard !list.isEmpty else { return }
            let rows = Value.text("[\(list.joined(separator: ","))]")
            _ = try connection.rows(derivation.update, derivation.isTime ? [now, rows] : [rows])
        }
    }
}
