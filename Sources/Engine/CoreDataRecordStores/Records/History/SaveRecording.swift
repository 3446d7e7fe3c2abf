import CoreDataStore

/// Determines the changes of one save in the tables, for the store's history.
///
/// Made before the plan is executed, while the former rows and members are still in the tables; `noteChanges(derived:)`
/// is called afterwards, when the derived values are known.
struct SaveRecording {
    /// Identifies a to-many relationship of one row.
    private struct Side: Hashable {
        let relationship: ObjectIdentifier
        let owner: Int64
    }

    private let tables: RecordTables
    private let properties: [HistoryProperties]
    private let plan: SavePlan
    private let former: [RowSnapshot]
    /// The members, before the save, of each to-many relationship whose links or order the save may change.
    private var members: [Side: (relationship: NSRelationshipDescription, keys: [Int64])] = [:]
    /// The changes determined so far.
    private(set) var record = ChangeRecord()

    /// - Parameter former: the rows that the plan deletes or replaces.
    init(_ plan: SavePlan, former: [RowSnapshot], of tables: RecordTables, _ properties: [HistoryProperties]) {
        (self.tables, self.properties, self.plan, self.former) = (tables, properties, plan, former)
        record.reserveCapacity(plan.inserts.count + former.count)
        for link in plan.links { noteMembers(link) }
        for order in plan.orders { noteMembers(of: order.relationship, order.owner.key) }
        for deletion in plan.deletions { noteDeletion(deletion.address) }
    }

    /// Notes the changes of all rows; called when the tables contain them.
    mutating func noteChanges(derived: DerivedChanges) {
        for row in plan.inserts { record.noteInsertion(of: RowAddress(binding: row.slab.binding, key: row.key)) }
        for row in former { noteUpdate(of: row) }
        for row in derived.all {
            record.noteUpdate(of: row.address, changed(Array(row.cells.keys), in: row.address.binding.layout))
        }
        for row in former { noteOwners(of: row, unlessIn: tables.row(root: row.slab.layout.root, key: row.key)) }
        for row in plan.inserts {
            if let written = tables.row(of: row) { noteOwners(of: written, unlessIn: nil) }
        }
        for (side, before) in members {
            guard tables.members(of: before.relationship, owner: side.owner) != before.keys else { continue }
            noteChange(of: before.relationship, side.owner)
        }
    }

    // MARK: Rows

    private mutating func noteDeletion(_ address: RowAddress) {
        guard let row = tables.row(root: address.binding.layout.root, key: address.key) else { return }
        let slots = properties[row.slab.layout.number].tombstoneSlots
        record.noteDeletion(
            of: RowAddress(binding: row.slab.binding, key: row.key),
            tombstone: slots.map { DerivedCell(row.slab.storedValue(row.index, $0)) })
        for relationship in row.slab.layout.toMany { noteOtherEnds(of: relationship, row.key) }
        for (number, root) in tables.plan.inverseless where root == row.slab.layout.root {
            noteFormerOwners(of: row.key, inLinks: number)
        }
    }

    /// Notes the properties in which the current version of a row differs from the former one.
    private mutating func noteUpdate(of row: RowSnapshot) {
        let layout = row.slab.layout
        guard let now = tables.row(root: layout.root, key: row.key), now.slab.layout === layout else { return }
        let slots = (0..<layout.storedCount).filter {
            !row.slab.hasSameValue(row.index, as: now.slab, now.index, slot: $0)
        }
        record.noteUpdate(of: RowAddress(binding: now.slab.binding, key: row.key), changed(slots, in: layout))
    }

    private func changed(_ slots: [Int], in layout: EntityLayout) -> SlotSet {
        var set = SlotSet()
        for slot in slots { set.insert(slot) }
        return properties[layout.number].properties(inSlots: set)
    }

    // MARK: To-many relationships

    /// For each to-one relationship with a to-many inverse whose target differs between `row` and `other`, notes a
    /// change of the inverse of both targets.
    private mutating func noteOwners(of row: RowSnapshot, unlessIn other: RowSnapshot?) {
        let layout = row.slab.layout
        for slot in 0..<layout.storedCount {
            guard case .toOne(let relationship) = layout.slots[slot].content,
                let inverse = relationship.inverseRelationship, inverse.isToMany
            else { continue }
            let target = row.slab.reference(row.index, slot)?.key
            let present = other.flatMap { $0.slab.layout === layout ? $0.slab.reference($0.index, slot)?.key : nil }
            guard target != present else { continue }
            for owner in [target, present] { if let owner { noteChange(of: inverse, owner) } }
        }
    }

    private mutating func noteMembers(_ link: SavePlan.LinkChange) {
        noteMembers(of: link.relationship, link.owner.key)
        if let inverse = link.relationship.inverseRelationship {
            noteMembers(of: inverse, link.member.key)
        } else if case .links(let number, _)? = tables.plan.source(of: link.relationship) {
            noteFormerOwners(of: link.member.key, inLinks: number)
        }
    }

    /// Remembers the members of all owners of a row by a relationship without an inverse.
    private mutating func noteFormerOwners(of member: Int64, inLinks number: Int) {
        guard let relationship = tables.plan.inverselessRelationship(number) else { return }
        for owner in tables.links[number].members(of: member, backwards: true) { noteMembers(of: relationship, owner) }
    }

    /// Remembers the members of the inverse of each row that a many-to-many relationship of a deleted row leads to.
    private mutating func noteOtherEnds(of relationship: NSRelationshipDescription, _ owner: Int64) {
        guard let inverse = relationship.inverseRelationship, inverse.isToMany else { return }
        for member in tables.members(of: relationship, owner: owner) { noteMembers(of: inverse, member) }
    }

    private mutating func noteMembers(of relationship: NSRelationshipDescription, _ owner: Int64) {
        let side = Side(relationship: ObjectIdentifier(relationship), owner: owner)
        guard members[side] == nil else { return }
        members[side] = (relationship, tables.members(of: relationship, owner: owner))
    }

    private mutating func noteChange(of relationship: NSRelationshipDescription, _ owner: Int64) {
        guard let root = relationship.entity.flatMap({ tables.model.layout(of: $0)?.root }),
            let row = tables.row(root: root, key: owner),
            let number = properties[row.slab.layout.number].number(of: relationship.name)
        else { return }
        var set = SlotSet()
        set.insert(number)
        record.noteUpdate(of: RowAddress(binding: row.slab.binding, key: owner), set)
    }
}
