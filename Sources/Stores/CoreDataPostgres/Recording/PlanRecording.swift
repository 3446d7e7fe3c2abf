import CoreDataSQL
import PostgresKit

/// Determines the changes of one save for the store's history without additional round trips: queries for the old state
/// precede the plan's statements in the pipeline.
struct PlanRecording {
    /// A query for the old state, and how its result is used.
    private enum Lookup {
        /// The old rows of deletions and of some updates.
        case rows(PostgresRowSelection)
        /// The owners of relationships with deleted members, as key and entity number: the relationships change.
        case losingMember(relationship: String)
        /// The existing pairs of owner and member among the plan's links.
        case pairs([SavePlan.LinkChange])
        /// The members of the plan's links with their owners: key, owner's key, owner's entity number.
        case owners([SavePlan.LinkChange])
    }

    private let session: PostgresSession
    private let plan: SavePlan
    private let properties: [HistoryProperties]
    private var lookups: [Lookup] = []
    private var statements: [PostgresStatement] = []
    private(set) var record = ChangeRecord()
    private var shape: PostgresShape { session.shape }
    private var schema: PostgresSchema { session.schema }

    init(_ plan: SavePlan, session: PostgresSession, properties: [HistoryProperties]) {
        self.plan = plan
        self.session = session
        self.properties = properties
        record.reserveCapacity(plan.inserts.count + plan.updates.count + plan.deletions.count)
    }

    // MARK: Asking

    /// Returns the queries, which must run before the plan's statements.
    mutating func questions() throws -> [PostgresStatement] {
        try askForRows(plan.deletions.map(\.address))
        try askForRows(plan.updates.filter(movesAmongMembers).map(\.address))
        try askForMembers()
        try askForLinks()
        return statements
    }

    private mutating func ask(_ lookup: Lookup, sql: String, parameters: [PostgresParameter]) {
        lookups.append(lookup)
        statements.append(PostgresStatement(sql, parameters))
    }

    private mutating func askForRows(_ addresses: [RowAddress]) throws {
        for group in grouped(addresses) {
            let table = try shape.table(of: group.binding.layout)
            let selection = shape.selection(of: table.mapping, withDescendants: true)
            ask(
                .rows(selection),
                sql: "SELECT \(selection.list) FROM \(schema.table(table.mapping.table)) t0 WHERE t0.Z_PK = ANY($1)",
                parameters: [.integers(group.keys)])
        }
    }

    /// Whether an update moves a row from one to-many relationship's owner to another.
    private func movesAmongMembers(_ row: SavePlan.Row) -> Bool {
        let layout = row.slab.layout
        return (0..<layout.storedCount).contains { slot in
            row.changed.contains(slot) && layout.ownerRelationship(slot) != nil
        }
    }

    /// Adds queries for the owners that lose deleted members, in many-to-many relationships and in those without
    /// inverse.
    private mutating func askForMembers() throws {
        for group in grouped(plan.deletions.map(\.address)) {
            let mapping = try shape.table(of: group.binding.layout).mapping
            let keys = PostgresParameter.integers(group.keys)
            for owner in schema.store.entities {
                for toMany in owner.toManys {
                    guard let destination = schema.store.entity(number: toMany.destination),
                        destination.rootNumber == mapping.rootNumber
                    else { continue }
                    askForOwners(of: keys, toMany, owner)
                }
            }
        }
    }

    private mutating func askForOwners(
        of members: PostgresParameter, _ toMany: ToManyMapping, _ owner: EntityMapping
    ) {
        let quoted = SQLIdentifier.quoted
        let owners = schema.table(owner.table)
        switch toMany.storage {
        case .join(let join):
            var pairs = [(join.ownColumn, join.otherColumn)]
            if join.isReflexive { pairs.append((join.otherColumn, join.ownColumn)) }
            for (own, other) in pairs {
                ask(
                    .losingMember(relationship: toMany.name),
                    sql:
                        "SELECT o.Z_PK, o.Z_ENT FROM \(schema.table(join.table)) j JOIN \(owners) o ON o.Z_PK = j.\(quoted(own)) "
                        + "WHERE j.\(quoted(other)) = ANY($1)", parameters: [members])
            }
        case .foreignKey(let key) where toMany.inverse == nil:
            ask(
                .losingMember(relationship: toMany.name),
                sql:
                    "SELECT o.Z_PK, o.Z_ENT FROM \(schema.table(key.table)) m JOIN \(owners) o ON o.Z_PK = m.\(quoted(key.column)) "
                    + "WHERE m.Z_PK = ANY($1)", parameters: [members])
        case .foreignKey: break
        }
    }

    private mutating func askForLinks() throws {
        for links in Dictionary(grouping: plan.links, by: { ObjectIdentifier($0.relationship) }).values {
            guard let first = links.first else { continue }
            let mapping = try shape.table(of: first.owner.binding.layout).mapping
            guard let toMany = mapping.toMany(first.relationship.name) else { continue }
            let quoted = SQLIdentifier.quoted
            switch toMany.storage {
            case .join(let join):
                let (own, other) = (quoted(join.ownColumn), quoted(join.otherColumn))
                let direct = "j.\(own) = u.o AND j.\(other) = u.m"
                let condition = join.isReflexive ? "\(direct) OR j.\(own) = u.m AND j.\(other) = u.o" : direct
                ask(
                    .pairs(links),
                    sql: "SELECT u.o, u.m FROM unnest($1::int8[], $2::int8[]) AS u(o, m) "
                        + "WHERE EXISTS (SELECT FROM \(schema.table(join.table)) j WHERE \(condition))",
                    parameters: [.integers(links.map(\.owner.key)), .integers(links.map(\.member.key))])
            case .foreignKey(let key):
                ask(
                    .owners(links),
                    sql: "SELECT m.Z_PK, o.Z_PK, o.Z_ENT FROM \(schema.table(key.table)) m "
                        + "JOIN \(schema.table(mapping.table)) o ON o.Z_PK = m.\(quoted(key.column)) "
                        + "WHERE m.Z_PK = ANY($1)", parameters: [.integers(links.map(\.member.key))])
            }
        }
    }

    private func grouped(_ addresses: [RowAddress]) -> [(binding: EntityBinding, keys: [Int64])] {
        Dictionary(grouping: addresses) { $0.binding.layout.number }.values.compactMap { group in
            group.first.map { ($0.binding, group.map(\.key)) }
        }
    }

    // MARK: Answers

    /// Records what the plan changes, given the results of its queries.
    mutating func note(_ answers: ArraySlice<PostgresResult>) {
        var former: [RowKey: RowSnapshot] = [:]
        for (lookup, result) in zip(lookups, answers) {
            guard case .rows(let selection) = lookup else { continue }
            var reader = PostgresRowReader(shape, selection, expectedCount: result.rowCount)
            for run in reader.read(result) {
                for index in run.range {
                    let row = RowSnapshot(slab: run.slab, index: index)
                    former[RowKey(row.address)] = row
                }
            }
        }
        for deletion in plan.deletions { former[RowKey(deletion.address)].map { noteDeletion($0) } }
        for row in plan.inserts { record.noteInsertion(of: row.address) }
        for row in plan.updates {
            record.noteUpdate(
                of: row.address, properties[row.slab.layout.number].properties(inSlots: row.changed))
        }
        noteOwners(former)
        for (lookup, result) in zip(lookups, answers) { note(lookup, result) }
    }

    private mutating func noteDeletion(_ row: RowSnapshot) {
        let slots = properties[row.slab.layout.number].tombstoneSlots
        record.noteDeletion(
            of: row.address, tombstone: slots.map { DerivedCell(row.slab.storedValue(row.index, $0)) })
    }

    private mutating func noteOwners(_ former: [RowKey: RowSnapshot]) {
        for deletion in plan.deletions {
            if let row = former[RowKey(deletion.address)] { noteOwners(of: row, unlessIn: nil) }
        }
        for row in plan.inserts { noteOwners(of: RowSnapshot(slab: row.slab, index: row.index), unlessIn: nil) }
        for row in plan.updates {
            guard let before = former[RowKey(row.address)], before.slab.layout === row.slab.layout else { continue }
            noteOwners(
                of: before, unlessIn: RowSnapshot(slab: row.slab, index: row.index), slots: row.changed)
        }
    }

    /// Records the owners to which a row's to-one relationships refer, in `row` and `other`, unless both refer to the
    /// same one.
    private mutating func noteOwners(of row: RowSnapshot, unlessIn other: RowSnapshot?, slots: SlotSet? = nil) {
        let layout = row.slab.layout
        for slot in 0..<layout.storedCount where slots?.contains(slot) != false {
            guard let relationship = layout.ownerRelationship(slot) else { continue }
            let references = [row.slab.reference(row.index, slot), other?.slab.reference(other?.index ?? 0, slot)]
            guard references[0]?.key != references[1]?.key else { continue }
            for reference in references {
                guard let reference else { continue }
                let target =
                    reference.target.flatMap {
                        shape.layouts.entities.indices.contains($0) ? shape.layouts.entities[$0] : nil
                    }
                    ?? relationship.entity.flatMap { shape.layouts.layout(of: $0) }
                target.map { noteChange(of: relationship.name, shape.store.binding(for: $0), reference.key) }
            }
        }
    }

    private mutating func note(_ lookup: Lookup, _ result: PostgresResult) {
        switch lookup {
        case .rows: break
        case .losingMember(let relationship):
            for row in 0..<result.rowCount {
                guard let key = result.int64(row, 0), let table = shape.table(number: result.int64(row, 1) ?? -1) else {
                    continue
                }
                noteChange(of: relationship, table.binding, key)
            }
        case .pairs(let links):
            struct Pair: Hashable {
                let owner: Int64
                let member: Int64
            }
            let present = Set(
                (0..<result.rowCount).map { Pair(owner: result.int64($0, 0) ?? 0, member: result.int64($0, 1) ?? 0) })
            for link in links
            where present.contains(Pair(owner: link.owner.key, member: link.member.key)) == link.isRemoval {
                note(link)
            }
        case .owners(let links):
            var owners: [Int64: RowAddress] = [:]
            for row in 0..<result.rowCount {
                guard let member = result.int64(row, 0), let key = result.int64(row, 1),
                    let table = shape.table(number: result.int64(row, 2) ?? -1)
                else { continue }
                owners[member] = RowAddress(binding: table.binding, key: key)
            }
            for link in links where (owners[link.member.key]?.key == link.owner.key) == link.isRemoval {
                note(link)
                guard !link.isRemoval, let former = owners[link.member.key] else { continue }
                noteChange(of: link.relationship.name, former.binding, former.key)
            }
        }
    }

    private mutating func note(_ link: SavePlan.LinkChange) {
        noteChange(of: link.relationship.name, link.owner.binding, link.owner.key)
        guard let inverse = link.relationship.inverseRelationship, inverse.isToMany else { return }
        noteChange(of: inverse.name, link.member.binding, link.member.key)
    }

    /// Records that the members of an owner have another order.
    mutating func noteOrder(_ order: SavePlan.OrderChange) {
        noteChange(of: order.relationship.name, order.owner.binding, order.owner.key)
    }

    /// Records the values that the store has computed.
    mutating func note(_ derived: DerivedChanges) {
        for row in derived.all {
            var slots = SlotSet()
            for slot in row.cells.keys { slots.insert(slot) }
            record.noteUpdate(
                of: row.address, properties[row.address.binding.layout.number].properties(inSlots: slots))
        }
    }

    private mutating func noteChange(of relationship: String, _ owner: EntityBinding, _ key: Int64) {
        guard let number = properties[owner.layout.number].number(of: relationship) else { return }
        var set = SlotSet()
        set.insert(number)
        record.noteUpdate(of: RowAddress(binding: owner, key: key), set)
    }
}

extension EntityLayout {
    /// Returns the to-many inverse of the slot's to-one relationship; nil for every other slot.
    fileprivate func ownerRelationship(_ slot: Int) -> NSRelationshipDescription? {
        guard case .toOne(let relationship) = slots[slot].content, let inverse = relationship.inverseRelationship,
            inverse.isToMany
        else { return nil }
        return inverse
    }
}
