import CoreDataStore

/// Collects the rows whose derived attributes a save must compute, by the numbers of the derivations.
///
/// Owners are searched before and after the rows are written, since a member that moves affects its old and its new
/// owner.
package struct AffectedDerivations {
    /// A search for the rows whose derived values depend on changed rows.
    package struct OwnerSearch {
        package let derivation: Int
        /// The SQL query, with the list of keys as its only parameter.
        package let query: String
        package let keys: Set<Int64>
    }

    package let columns: DerivedColumns
    /// By derivation: the keys of the rows whose values must be computed.
    package private(set) var affected: [Set<Int64>]
    /// By derivation and dependency: the keys of changed rows whose owners before the save (`former`) and after it
    /// (`present`) must be searched.
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

    /// Notes both ends for the derivations of the relationship and of its inverse. The member's owner before the save
    /// is searched too, since the plan does not name an owner from which it moves a member.
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

    /// Returns the searches for the owners that the noted rows have before they are written, and forgets these rows.
    package mutating func takeFormer() -> [OwnerSearch] {
        defer { former = columns.derivations.map { $0.dependencies.map { _ in [] } } }
        return searches(former)
    }

    /// Returns the searches for the owners that the noted rows have after they are written.
    package func takePresent() -> [OwnerSearch] { searches(present) }

    private func searches(_ changed: [[Set<Int64>]]) -> [OwnerSearch] {
        columns.derivations.enumerated().flatMap { number, derivation in
            zip(derivation.dependencies, changed[number]).compactMap { dependency, keys in
                keys.isEmpty ? nil : OwnerSearch(derivation: number, query: dependency.owners, keys: keys)
            }
        }
    }
}
