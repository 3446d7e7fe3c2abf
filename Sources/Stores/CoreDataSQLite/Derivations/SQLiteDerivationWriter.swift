import CoreDataSQL
import SQLiteKit

/// Computes the derived attributes that one save affects, with a few statements for each attribute.
///
/// Owners are searched before and after the rows are written, since a member that moves affects its old and its new
/// owner.
struct SQLiteDerivationWriter {
    private let file: StoreFile
    private var scope: AffectedDerivations

    init(file: StoreFile, columns: DerivedColumns) {
        self.file = file
        scope = AffectedDerivations(columns)
    }

    private var derivations: [SavedDerivation] { scope.columns.derivations }

    /// Notes the rows that a plan changes, and finds the owners that they have before it is carried out.
    mutating func prepare(for plan: SavePlan) throws {
        scope.note(plan)
        try findFormerOwners()
    }

    /// Finds the owners that the noted rows have before they are written.
    mutating func findFormerOwners() throws { try find(scope.takeFormer()) }

    /// Whether an update of some slots of an entity's rows can change a derived value.
    func concerns(layout number: Int, _ slots: SlotSet) -> Bool { scope.concerns(layout: number, slots) }

    mutating func note(inserted key: Int64, layout number: Int) { scope.note(inserted: key, layout: number) }

    mutating func note(updated key: Int64, layout number: Int, _ changed: SlotSet) {
        scope.note(updated: key, layout: number, changed)
    }

    mutating func note(deleted key: Int64, layout number: Int) { scope.note(deleted: key, layout: number) }

    private mutating func find(_ searches: [AffectedDerivations.OwnerSearch]) throws {
        for search in searches {
            let statement = try file.connection.prepare(search.query)
            try statement.bind(Self.list(search.keys), at: 1)
            while try statement.step() {
                if !statement.isNull(0) { scope.note(owner: statement.int64(0), of: search.derivation) }
            }
        }
    }

    /// Computes and writes the values, after the plan has been carried out.
    ///
    /// - Throws: `SaveRefusal` for values that violate a uniqueness constraint.
    mutating func write() throws {
        try find(scope.takePresent())
        let affected = scope.affected
        for (number, derivation) in derivations.enumerated()
        where !affected[number].isEmpty && Self.isUnique(derivation) {
            try file.connection.execute(derivation.clearing, [Self.list(affected[number])])
        }
        for (number, derivation) in derivations.enumerated() where !affected[number].isEmpty {
            try write(derivation, affected[number])
        }
    }

    // MARK: Values

    private func write(_ derivation: SavedDerivation, _ keys: Set<Int64>) throws {
        if derivation.isTime {
            let time = Value.real(Date().timeIntervalSinceReferenceDate)
            _ = try run(derivation.update, of: derivation, [time, Self.list(keys)])
        } else if Self.isUnique(derivation), let update = derivation.updateOfUniqueValues {
            let written = try run(update, of: derivation, [Self.list(keys)])
            if written < keys.count { try requireNoCollision(derivation, keys) }
        } else {
            _ = try run(derivation.update, of: derivation, [Self.list(keys)])
        }
    }

    private static func isUnique(_ derivation: SavedDerivation) -> Bool {
        !derivation.constraints.isEmpty && !derivation.isTime
    }

    private func requireNoCollision(_ derivation: SavedDerivation, _ keys: Set<Int64>) throws {
        var conflicts: [UniquenessConflict] = []
        for constraint in derivation.constraints {
            guard let query = derivation.collisions(of: constraint) else { continue }
            for row in try file.connection.rows(query, [Self.list(keys)]) {
                guard let own = address(row[0], row[1]) else { continue }
                conflicts.append(
                    UniquenessConflict(constraint: constraint.names, rows: [own], holder: address(row[2], row[3])))
            }
        }
        guard conflicts.isEmpty else { throw SaveRefusal(outcome: .constraintConflicts(conflicts)) }
    }

    private func address(_ key: Value, _ entity: Value) -> RowAddress? {
        guard let key = key.integer, let plan = entity.integer.flatMap(file.plan(number:)) else { return nil }
        return RowAddress(binding: plan.binding, key: key)
    }

    /// Runs an update and records the values that it wrote; returns the number of rows.
    private func run(_ update: String, of derivation: SavedDerivation, _ values: [Value]) throws -> Int {
        let statement = try file.connection.prepare(update)
        try statement.bind(values)
        var count = 0
        while try statement.step() {
            count += 1
            guard let plan = file.plan(number: statement.int64(1)) else { continue }
            let value = StoredValue(statement, 2)
            file.noteDerived(value, of: derivation.attribute.name, plan: plan, key: statement.int64(0))
        }
        return count
    }

    /// Returns keys as one parameter, a JSON array.
    private static func list(_ keys: Set<Int64>) -> Value {
        .text("[" + keys.sorted().map(String.init).joined(separator: ",") + "]")
    }
}
