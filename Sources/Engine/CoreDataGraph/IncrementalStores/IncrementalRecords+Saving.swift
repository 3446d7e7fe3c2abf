import CoreDataStore

extension IncrementalRecords: RowSaving {
    var isReadOnly: Bool { store.isReadOnly }

    // `obtainPermanentIDs(for:)` supplies identifiers before a plan is made, so plans need no keys.
    func checkOutKeys(_ demand: KeyDemand) throws -> KeyGrant { try reserveKeys(demand) }

    func checkInKeys(_ grant: KeyGrant) {}

    func reserveKeys(_ demand: KeyDemand) throws -> KeyGrant {
        guard demand.isEmpty else { throw needsObjects }
        return KeyGrant()
    }

    private var needsObjects: NSError {
        StoreMistake.make(
            store, "is written by the objects of a context only, not by rows",
            hint: "Fetch the objects of the other store and insert their like, then save.")
    }

    func save(_ plan: SavePlan) throws -> SaveOutcome {
        guard !plan.isEmpty else {
            let request = NSSaveChangesRequest(inserted: nil, updated: nil, deleted: nil, locked: nil)
            _ = try asking { try store.execute(request, with: $0) }
            return .saved(SaveReceipt())
        }
        guard let origin, !origin.objects.isEmpty || !origin.locked.isEmpty else { throw needsObjects }
        let conflicts = conflicts(with: plan)
        guard conflicts.isEmpty else { return .conflicts(conflicts) }
        do {
            _ = try store.execute(request(plan, origin), with: origin.context)
        } catch let error as NSError {
            if let outcome = Refusal(error, store: store)?.outcome { return outcome }
            throw error
        }
        return .saved(SaveReceipt(derived: finish(plan, origin.context)))
    }

    /// The rows whose known version in the store differs from the one that the plan expects.
    private func conflicts(with plan: SavePlan) -> [RowAddress] {
        let expected =
            plan.updates.map { (RowAddress(binding: $0.slab.binding, key: $0.key), $0.expectedVersion) }
            + plan.deletions.map { ($0.address, $0.expectedVersion) }
            + plan.locks.map { ($0.address, $0.expectedVersion) }
        return expected.compactMap { address, version in
            known.differs(from: version, address.binding, key: address.key) ? address : nil
        }
    }

    private func request(_ plan: SavePlan, _ origin: RequestOrigin) -> NSSaveChangesRequest {
        let updated = Set(plan.updates.map { RowKey(table: $0.slab.binding.table, key: $0.key) })
        let live = origin.objects.filter { !$0.isDeleted }
        return NSSaveChangesRequest(
            inserted: Set(live.filter(\.isInserted)),
            updated: Set(live.filter { !$0.isInserted && updated.contains(RowKey($0)) }),
            deleted: Set(origin.objects.filter { $0.isDeleted && !$0.isInserted }), locked: Set(origin.locked))
    }

    // MARK: After a save

    /// Reads the versions of saved objects, and the values that the store itself has set in them.
    ///
    /// A node that the store class has updated has both already. A record that cannot be read now counts as saved
    /// without changes.
    private func finish(_ plan: SavePlan, _ context: NSManagedObjectContext) -> DerivedChanges {
        var renewed: [(row: SavePlan.Row, node: NSIncrementalStoreNode?)] = []
        for row in plan.inserts + plan.updates {
            let former = known[row.slab.binding, row.key]
            let isCurrent = former?.node.map { NodePacker.version(of: $0) != former?.version } ?? false
            let identifier = NSManagedObjectID(binding: row.slab.binding, key: row.key, isTemporary: false)
            renewed.append((row, isCurrent ? former?.node : try? node(identifier, in: context)))
        }
        known.forgetNodes()
        var changes = DerivedChanges()
        var packer = NodePacker(self)
        for (row, node) in renewed {
            let read = try? node.map { try packer.pack($0, key: row.key, in: context) } ?? nil
            if let read, read.slab.layout === row.slab.layout {
                note(read, besides: row, in: &changes)
                row.slab.row(row.index).storeBytes(of: read.version, toByteOffset: 8, as: Int64.self)
            }
            known.note(node, version: row.version, row.slab.binding, key: row.key)
        }
        for deletion in plan.deletions { known.noteDeletion(deletion.address.binding, key: deletion.address.key) }
        return changes
    }

    private func note(_ read: RowSnapshot, besides row: SavePlan.Row, in changes: inout DerivedChanges) {
        let layout = row.slab.layout
        for slot in 0..<layout.storedCount {
            guard case .attribute(let attribute, let kind) = layout.slots[slot].content,
                !row.slab.hasSameValue(row.index, as: read.slab, read.index, slot: slot)
            else { continue }
            if [.transformable, .composite, .decimal].contains(kind),
                isEqual(read, row: row, slot: slot, kind: kind, attribute: attribute)
            {
                continue
            }
            changes.note(
                DerivedCell(read.slab.storedValue(read.index, slot)), slot: slot,
                of: RowAddress(binding: row.slab.binding, key: row.key))
        }
    }

    /// Whether the two stored forms represent equal values.
    private func isEqual(
        _ read: RowSnapshot, row: SavePlan.Row, slot: Int, kind: AttributeKind,
        attribute: NSAttributeDescription
    ) -> Bool {
        let one = try? SlotCoding.value(read.slab, index: read.index, slot: slot, kind: kind, attribute: attribute)
        let other = try? SlotCoding.value(row.slab, index: row.index, slot: slot, kind: kind, attribute: attribute)
        guard let one = one as? NSObject ?? (one as? [String: Any]).map({ NSDictionary(dictionary: $0) }),
            let other = other as? NSObject ?? (other as? [String: Any]).map({ NSDictionary(dictionary: $0) })
        else { return false }
        return one.isEqual(other)
    }
}

/// The conflicts in the error of a store class that did not save, which the merge policy can resolve.
private struct Refusal {
    let outcome: SaveOutcome

    /// Nil for an error without conflicts.
    init?(_ error: NSError, store: NSPersistentStore) {
        guard error.domain == NSCocoaErrorDomain else { return nil }
        let list =
            error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any] ?? error.userInfo["conflictList"] as? [Any]
        func address(_ object: NSManagedObject) -> RowAddress {
            RowAddress(binding: store.binding(for: object.layout), key: object.key)
        }
        switch error.code {
        case NSPersistentStoreSaveConflictsError, NSManagedObjectMergeError:
            guard let conflicts = list?.compactMap({ $0 as? NSMergeConflict }), !conflicts.isEmpty else { return nil }
            outcome = .conflicts(conflicts.map { address($0.sourceObject) })
        case NSManagedObjectConstraintMergeError:
            guard let conflicts = list?.compactMap({ $0 as? NSConstraintConflict }), !conflicts.isEmpty else {
                return nil
            }
            outcome = .constraintConflicts(
                conflicts.map {
                    UniquenessConflict(
                        constraint: $0.constraint, rows: $0.conflictingObjects.map(address),
                        holder: $0.databaseObject.map(address))
                })
        default: return nil
        }
    }
}

extension IncrementalRecords: LargeValueKeeping {
    func largeValue(stored: UnsafeRawBufferPointer) throws -> Data { Data(stored) }

    func largeValueWriter() -> any LargeValueWriting { ValuesAsTheyAre() }
}

/// Leaves large values in the rows, since the store class decides where to store them.
private final class ValuesAsTheyAre: LargeValueWriting {
    func storedForm(of data: Data) throws -> Data { data }
    var count: Int { 0 }
    func discard(after count: Int) {}
}
