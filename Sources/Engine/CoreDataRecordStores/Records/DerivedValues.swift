import CoreDataStore

/// Collects the rows whose derived values a save may change.
struct DerivationScope {
    private let tables: RecordTables
    private(set) var affected: Set<RowKey> = []

    init(tables: RecordTables) { self.tables = tables }

    /// Adds the rows that depend on changed rows, by the present relationships.
    mutating func note(changed rows: [RowSnapshot]) {
        for dependency in tables.derivations.dependencies {
            for row in rows where row.slab.layout.entity.isKindOf(entity: dependency.source) {
                follow(dependency.steps, from: [RowKey(table: row.slab.layout.root, key: row.key)])
            }
        }
    }

    /// Adds both ends of changed links, and the present owners of the members.
    mutating func note(linked links: [SavePlan.LinkChange]) {
        guard !tables.derivations.isEmpty else { return }
        for link in links {
            affected.insert(RowKey(table: link.owner.binding.layout.root, key: link.owner.key))
            affected.insert(RowKey(table: link.member.binding.layout.root, key: link.member.key))
            let member = RowKey(table: link.member.binding.layout.root, key: link.member.key)
            follow([.owners(link.relationship)], from: [member])
        }
    }

    private mutating func follow(_ steps: [DerivationPlan.Step], from start: [RowKey]) {
        var records = start
        for step in steps { records = records.flatMap { next(step, $0) } }
        affected.formUnion(records)
    }

    private func next(_ step: DerivationPlan.Step, _ record: RowKey) -> [RowKey] {
        switch step {
        case .referrers(let relationship):
            guard let number = tables.plan.index(of: relationship), let root = root(of: relationship) else { return [] }
            return tables.indexes[number].members(of: record.key).map { RowKey(table: root, key: $0) }
        case .owners(let relationship):
            guard let root = root(of: relationship) else { return [] }
            return owners(relationship, record).map { RowKey(table: root, key: $0) }
        }
    }

    private func owners(_ relationship: NSRelationshipDescription, _ member: RowKey) -> [Int64] {
        switch tables.plan.source(of: relationship) {
        case .links(let number, let backwards):
            let isReflexive = tables.links[number].kind == .reflexive
            return tables.links[number].members(of: member.key, backwards: isReflexive ? false : !backwards)
        case .index:
            guard let inverse = relationship.inverseRelationship,
                let row = tables.row(root: member.table, key: member.key),
                case .toOne(let slot) = row.slab.layout.places[inverse.name]
            else { return [] }
            return row.slab.reference(row.index, slot).map { [$0.key] } ?? []
        case nil: return []
        }
    }

    private func root(of relationship: NSRelationshipDescription) -> Int? {
        relationship.entity.flatMap { tables.model.layout(of: $0)?.root }
    }
}

/// The computed derived values of one row, in the form of its slots.
package struct DerivedValues {
    private var cells: [(slot: Int, cell: DerivedCell)] = []

    /// Computes the values; one that cannot be computed, or does not have its attribute's type, is null.
    package init(
        _ slots: [DerivationPlan.DerivedSlot], of row: RowSnapshot, _ source: any RecordFinding, time: Date
    ) {
        guard !slots.isEmpty else { return }
        let record = StoredRecord(row, of: source)
        for slot in slots {
            let value = slot.expression.map { try? $0.value(on: record) } ?? time
            cells.append((slot.slot, DerivedCell(value ?? nil, of: slot.attribute)))
        }
    }

    /// The values that differ from those in a row.
    package func differing(from row: RowSnapshot) -> [(slot: Int, cell: DerivedCell)] {
        cells.filter { slot, cell in !cell.isHeld(by: row.slab, row.index, slot) }
    }

    /// Writes the values into a row that is not yet shared.
    func write(to slab: RowSlab, _ index: Int) {
        for (slot, cell) in cells where !cell.isHeld(by: slab, index, slot) { cell.write(to: slab, index, slot) }
    }
}
