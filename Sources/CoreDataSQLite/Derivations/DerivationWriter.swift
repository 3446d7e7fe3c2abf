import CoreDataSQL
import SQLiteKit

/// Computes the derived attributes that one save affects, with a few statements for each of them.
///
/// Owners are looked for before the rows are written and after, since a member that moves changes two of them.
struct DerivationWriter {
    private let file: StoreFile
    private let columns: DerivedColumns
    /// By derivation: keys of the rows whose values are to be computed.
    private var affected: [Set<Int64>]
    /// By derivation and dependency: keys of changed rows, that may have owners before the save or after it.
    private var former: [[Set<Int64>]]
    private var present: [[Set<Int64>]]

    init(file: StoreFile, columns: DerivedColumns) {
        self.file = file
        self.columns = columns
        affected = columns.derivations.map { _ in [] }
        former = columns.derivations.map { $0.dependencies.map { _ in [] } }
        present = former
    }

    /// Notes what a plan changes, and the owners that changed rows have before it is carried out.
    mutating func prepare(for plan: SavePlan) throws {
        for row in plan.inserts { note(inserted: row.key, layout: row.slab.layout.number) }
        for row in plan.updates { note(updated: row.key, layout: row.slab.layout.number, row.changed) }
        for deletion in plan.deletions {
            note(deleted: deletion.address.key, layout: deletion.address.binding.layout.number)
        }
        for link in plan.links { note(link) }
        try findFormerOwners()
    }

    /// Finds the owners that noted rows have as long as they are not written.
    mutating func findFormerOwners() throws {
        try findOwners(of: former)
        former = columns.derivations.map { $0.dependencies.map { _ in [] } }
    }

    /// Whether an update of some slots of an entity's rows can change a derived value.
    func concerns(layout number: Int, _ slots: SlotSet) -> Bool {
        !columns.forUpdated[number].isEmpty || columns.watches[number].contains { $0.slots.intersects(slots) }
    }

    /// Computes and writes the values, once the plan has been carried out.
    ///
    /// - Throws: `SaveRefusal` for values that would be there twice.
    mutating func write() throws {
        try findOwners(of: present)
        for (number, derivation) in columns.derivations.enumerated()
        where !affected[number].isEmpty && Self.isUnique(derivation) {
            try file.connection.execute(derivation.clearing, [Self.list(affected[number])])
        }
        for (number, derivation) in columns.derivations.enumerated() where !affected[number].isEmpty {
            try write(derivation, affected[number])
        }
    }

    // MARK: Scope

    mutating func note(inserted key: Int64, layout number: Int) {
        for derivation in columns.forInserted[number] { affected[derivation].insert(key) }
        for watch in columns.watches[number] where watch.includesInsertions {
            present[watch.derivation][watch.dependency].insert(key)
        }
    }

    mutating func note(updated key: Int64, layout number: Int, _ changed: SlotSet) {
        for derivation in columns.forUpdated[number] { affected[derivation].insert(key) }
        for watch in columns.watches[number] where changed.intersects(watch.slots) {
            former[watch.derivation][watch.dependency].insert(key)
            present[watch.derivation][watch.dependency].insert(key)
        }
    }

    mutating func note(deleted key: Int64, layout number: Int) {
        for watch in columns.watches[number] { former[watch.derivation][watch.dependency].insert(key) }
    }

    /// Both ends may be meant; a member may be taken from an owner that the plan does not name.
    private mutating func note(_ link: SavePlan.LinkChange) {
        for role in columns.links[ObjectIdentifier(link.relationship)] ?? [] {
            let (owner, member) = role.isReversed ? (link.member, link.owner) : (link.owner, link.member)
            affected[role.derivation].insert(owner.key)
            for dependency in former[role.derivation].indices {
                former[role.derivation][dependency].insert(member.key)
            }
        }
    }

    private mutating func findOwners(of changed: [[Set<Int64>]]) throws {
        for (number, derivation) in columns.derivations.enumerated() {
            for (dependency, keys) in zip(derivation.dependencies, changed[number]) where !keys.isEmpty {
                let statement = try file.connection.prepare(dependency.owners)
                try statement.bind(Self.list(keys), at: 1)
                while try statement.step() {
                    if !statement.isNull(0) { affected[number].insert(statement.int64(0)) }
                }
            }
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

    /// Runs an update and notes what it wrote; gives the number of rows.
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

    /// Many keys as one parameter.
    private static func list(_ keys: Set<Int64>) -> Value {
        .text("[" + keys.sorted().map(String.init).joined(separator: ",") + "]")
    }
}
