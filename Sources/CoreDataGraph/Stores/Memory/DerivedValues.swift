import CoreDataModeling

/// A record by its hierarchy and key.
struct RecordKey: Hashable {
    let root: Int
    let key: Int64
}

/// The rows whose derived values may have changed in a save.
struct DerivationScope {
    private let tables: RecordTables
    private(set) var affected: Set<RecordKey> = []

    init(tables: RecordTables) { self.tables = tables }

    /// Follows the derivations back from rows as they are related now.
    mutating func note(changed rows: [RowReference]) {
        for dependency in tables.derivations.dependencies {
            for row in rows where row.slab.layout.entity.isKindOf(entity: dependency.source) {
                follow(dependency.steps, from: [RecordKey(root: row.slab.layout.root, key: row.key)])
            }
        }
    }

    /// Takes both ends of links, and the owners that members have now.
    mutating func note(linked links: [SavePlan.LinkChange]) {
        guard !tables.derivations.isEmpty else { return }
        for link in links {
            affected.insert(RecordKey(root: link.owner.binding.layout.root, key: link.owner.key))
            affected.insert(RecordKey(root: link.member.binding.layout.root, key: link.member.key))
            let member = RecordKey(root: link.member.binding.layout.root, key: link.member.key)
            follow([.owners(link.relationship)], from: [member])
        }
    }

    private mutating func follow(_ steps: [DerivationPlan.Step], from start: [RecordKey]) {
        var records = start
        for step in steps { records = records.flatMap { next(step, $0) } }
        affected.formUnion(records)
    }

    private func next(_ step: DerivationPlan.Step, _ record: RecordKey) -> [RecordKey] {
        switch step {
        case .referrers(let relationship):
            guard let number = tables.plan.index(of: relationship), let root = root(of: relationship) else { return [] }
            return tables.indexes[number].members(of: record.key).map { RecordKey(root: root, key: $0) }
        case .owners(let relationship):
            guard let root = root(of: relationship) else { return [] }
            return owners(relationship, record).map { RecordKey(root: root, key: $0) }
        }
    }

    private func owners(_ relationship: NSRelationshipDescription, _ member: RecordKey) -> [Int64] {
        switch tables.plan.source(of: relationship) {
        case .links(let number, let backwards):
            let isReflexive = tables.links[number].kind == .reflexive
            return tables.links[number].members(of: member.key, backwards: isReflexive ? false : !backwards)
        case .index:
            guard let inverse = relationship.inverseRelationship,
                let row = tables.row(root: member.root, key: member.key),
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

/// The derived values of one row, as its slots are to hold them.
struct DerivedValues {
    private struct Value {
        let slot: Int
        var tag = RowTag.null
        var bits: UInt64 = 0
        var bytes: [UInt8] = []
    }

    private var values: [Value] = []

    /// Computes the values; one that cannot be computed, or that is not of its attribute's type, is nil.
    init(_ slots: [DerivationPlan.DerivedSlot], of row: RowReference, _ tables: RecordTables, time: Date) {
        guard !slots.isEmpty else { return }
        let record = StoredRecord(row, of: tables)
        for slot in slots {
            let value = slot.expression.map { try? $0.value(on: record) } ?? time
            values.append(Self.value(value ?? nil, slot))
        }
    }

    private static func value(_ value: Any?, _ slot: DerivationPlan.DerivedSlot) -> Value {
        var result = Value(slot: slot.slot)
        switch try? SlotCoding.accept(value, for: slot.attribute, slot.kind) {
        case .integer(let integer): (result.tag, result.bits) = (RowTag.integer, UInt64(bitPattern: integer))
        case .real(let real): (result.tag, result.bits) = (RowTag.real, real.bitPattern)
        case .reference(let reference):
            try? SlotCoding.encode(reference, slot.kind, slot.attribute) { tag, bytes in
                result.tag = tag
                result.bytes = Array(bytes)
            }
        case .null, nil: break
        }
        return result
    }

    func differ(from row: RowReference) -> Bool {
        values.contains { value in
            guard row.slab.tag(row.index, value.slot) == value.tag else { return true }
            switch value.tag {
            case RowTag.null: return false
            case RowTag.text, RowTag.blob: return !row.slab.bytes(row.index, value.slot).elementsEqual(value.bytes)
            default: return row.slab.bits(row.index, value.slot) != value.bits
            }
        }
    }

    /// Writes the values into a row that nobody else sees yet.
    func write(to slab: RowSlab, _ index: Int) {
        for value in values {
            let isBytes = value.tag == RowTag.text || value.tag == RowTag.blob
            let bits = isBytes ? value.bytes.withUnsafeBytes { slab.append($0) } : value.bits
            slab.set(value.tag, bits, row: slab.row(index), slot: value.slot)
        }
    }
}
