import CoreDataStore

/// Checks to-one relationships: references must lead to existing records, and one-to-one relationships must agree at
/// both ends.
extension RecordLoading {
    static let becomesNil = "It becomes nil."
    static let isFilledIn = "The missing half is filled in."

    mutating func resolveReferences() throws {
        try forEachReference { loading, relationship, slab, index, slot, number in
            if try loading.isMissing(slab, index: index, slot: slot, relationship: relationship, number: number) {
                return
            }
            guard
                let target = try loading.target(
                    of: relationship, slab.integer(index, slot), remedy: Self.becomesNil,
                    record: loading.record(slab: number, index: index))
            else { return Self.clear(slab, index: index, slot: slot) }
            slab.set(RowTag.integer, UInt64(target.entity), row: slab.row(index), slot: slot + 1)
        }
        try forEachReference { loading, relationship, slab, index, slot, number in
            let key = slab.integer(index, slot)
            guard !loading.missing.contains(.init(owner: slab.key(index), slot: slot)),
                let target = loading.position(key)
            else { return }
            try loading.checkInverse(relationship, of: (slab, index, slot), target: target, number: number)
        }
    }

    private typealias ReferenceCheck = (
        inout RecordLoading, NSRelationshipDescription, RowSlab, _ index: Int, _ slot: Int, _ number: Int
    ) throws -> Void

    private mutating func forEachReference(_ body: ReferenceCheck) throws {
        for (number, slab) in slabs.enumerated() {
            for slot in 0..<slab.layout.storedCount {
                guard case .toOne(let relationship) = slab.layout.slots[slot].content else { continue }
                for index in 0..<slab.count where slab.tag(index, slot) == RowTag.integer {
                    try body(&self, relationship, slab, index, slot, number)
                }
            }
        }
    }

    /// Whether a reference is marked as one to a deleted record. If that record exists, reports a fault and treats the
    /// reference as a usual one.
    private mutating func isMissing(
        _ slab: RowSlab, index: Int, slot: Int, relationship: NSRelationshipDescription, number: Int
    ) throws -> Bool {
        let reference = MissingReference(owner: slab.key(index), slot: slot)
        guard !missing.isEmpty, missing.contains(reference) else { return false }
        guard position(slab.integer(index, slot)) != nil else { return true }
        try fault(
            .wrongReference, reason: "a reference is said to lead to no record, and leads to one",
            record: record(slab: number, index: index), property: relationship.name, remedy: "It leads there.")
        missing.remove(reference)
        return false
    }

    /// The record to which a reference leads; nil for an invalid reference, which is reported as a fault.
    func target(
        of relationship: NSRelationshipDescription, _ key: Int64, remedy: String,
        record: @autoclosure () -> FaultyRecord
    ) throws -> SlabPosition? {
        let name = relationship.name
        guard let target = position(key) else {
            try fault(
                relationship.isToMany ? .danglingLink : .danglingReference,
                reason: "'\(name)' leads to the number \(key), which no record has", record: record(), property: name,
                remedy: remedy)
            return nil
        }
        guard let wanted = relationship.destinationEntity, layout(target).entity.isKindOf(entity: wanted) else {
            try fault(
                .wrongReference,
                reason: "'\(name)' leads to the number \(key), which is of another entity than "
                    + "'\(relationship.destinationEntity?.name ?? "")'", record: record(), property: name,
                remedy: remedy)
            return nil
        }
        return target
    }

    /// Checks that the inverse of a one-to-one relationship refers back. If the inverse is nil it is set, otherwise the
    /// reference becomes nil.
    private func checkInverse(
        _ relationship: NSRelationshipDescription, of source: (slab: RowSlab, index: Int, slot: Int),
        target: SlabPosition, number: Int
    ) throws {
        guard let inverse = relationship.answeringInverse, !inverse.isToMany, !inverse.isTransient,
            case .toOne(let slot)? = layout(target).places[inverse.name]
        else { return }
        let (slab, index, key) = (slab(target), Int(target.index), source.slab.key(source.index))
        guard slab.tag(index, slot) != RowTag.integer || slab.integer(index, slot) != key else { return }
        let isFree = slab.tag(index, slot) != RowTag.integer
        try fault(
            .oneSided, reason: "'\(relationship.name)' leads to a record whose '\(inverse.name)' does not lead back",
            record: record(slab: number, index: source.index), property: relationship.name,
            remedy: isFree ? Self.isFilledIn : Self.becomesNil)
        guard isFree else {
            return Self.clear(source.slab, index: source.index, slot: source.slot)
        }
        refer(slab, index: index, slot: slot, to: key, layout: source.slab.layout)
    }

    private static func clear(_ slab: RowSlab, index: Int, slot: Int) {
        slab.set(RowTag.null, 0, row: slab.row(index), slot: slot)
        slab.set(RowTag.null, 0, row: slab.row(index), slot: slot + 1)
    }

    /// Sets a to-one reference of a record to another record that has been read.
    func refer(_ slab: RowSlab, index: Int, slot: Int, to key: Int64, layout: EntityLayout) {
        slab.set(RowTag.integer, UInt64(bitPattern: key), row: slab.row(index), slot: slot)
        slab.set(RowTag.integer, UInt64(layout.number), row: slab.row(index), slot: slot + 1)
        faults?.noteChanged(slab.key(index))
    }
}
