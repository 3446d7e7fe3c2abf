import CoreDataStore

/// The rows whose derived attributes a save changes, by the numbers of the derivations.
///
/// Owners are looked for before the rows are written and after, since a member that moves changes two of them.
package struct AffectedDerivations {
    /// A question for the rows whose values come from changed ones.
    package struct OwnerSearch {
        package let derivation: Int
        /// Takes the keys as its only parameter.
        package let query: String
        package let keys: Set<Int64>
    }

    package let columns: DerivedColumns
    /// By derivation: keys of the rows whose values are to be computed.
    package private(set) var affected: [Set<Int64>]
    /// By derivation and dependency: keys of changed rows, that may have owners before the save or after it.
    private var former: [[Set<Int64>]]
    private var present: [[Set<Int64>]]

    package init(_ columns: DerivedColumns) {
        self.columns = columns
        affected = columns.derivations.map { _ in [] }
        former = columns.derivations.map { $0.dependencies.map { _ in [] } }
        present = former
    }

    // MARK: What changes

    package mutating func note(_ plan: SavePlan) {
        for row in plan.inserts { note(inserted: row.key, layout: row.slab.layout.number) }
        for row in plan.updates { note(updated: row.key, layout: row.slab.layout.number, row.changed) }
        for deletion in plan.deletions {
            note(deleted: deletion.address.key, layout: deletion.address.binding.layout.number)
        }
        for link in plan.links { note(link) }
    }

    package mutating func note(inserted key: Int64, layout number: Int) {
        for derivation in columns.forInserted[number] { affected[derivation].insert(key) }
        for watch in columns.watches[number] where watch.includesInsertions {
            present[watch.derivation][watch.dependency].insert(key)
        }
    }

    package mutating func note(updated key: Int64, layout number: Int, _ changed: SlotSet) {
        for derivation in columns.forUpdated[number] { affected[derivation].insert(key) }
        for watch in columns.watches[number] where changed.intersects(watch.slots) {
            former[watch.derivation][watch.dependency].insert(key)
            present[watch.derivation][watch.dependency].insert(key)
        }
    }

    package mutating func note(deleted key: Int64, layout number: Int) {
        for watch in columns.watches[number] { former[watch.derivation][watch.dependency].insert(key) }
    }

    /// Both ends may be meant; a member may be taken from an owner that the plan does not name.
    private mutating func note(_ link: SavePlan.LinkChange) {
        for role in columns.links[ObjectIdentifier(link.relationship)] ?? [] {
            let (owner, member) = role.isReversed ? (link.member, link.owner) : (link.owner, link.member)
            affected[role.derivation].insert(owner.key)
            for dependency in former[role.derivation].indices { former[role.derivation][dependency].insert(member.key) }
        }
    }

    /// Notes a row that an owner search has found.
    package mutating func note(owner key: Int64, of derivation: Int) { affected[derivation].insert(key) }

    /// Whether an update of some slots of an entity's rows can change a derived value.
    package func concerns(layout number: Int, _ slots: SlotSet) -> Bool {
        !columns.forUpdated[number].isEmpty || columns.watches[number].contains { $0.slots.intersects(slots) }
    }

    // MARK: Owners

    /// The searches for owners that noted rows have as long as they are not written.
    package mutating func takeFormer() -> [OwnerSearch] {
        defer { former = columns.derivations.map { $0.dependencies.map { _ in [] } } }
        return searches(former)
    }

    /// The searches for owners that noted rows have once they are written.
    package func takePresent() -> [OwnerSearch] { searches(present) }

    private func searches(_ changed: [[Set<Int64>]]) -> [OwnerSearch] {
        columns.derivations.enumerated().flatMap { number, derivation in
            zip(derivation.dependencies, changed[number]).compactMap { dependency, keys in
                keys.isEmpty ? nil : OwnerSearch(derivation: number, query: dependency.owners, keys: keys)
            }
        }
    }
}
