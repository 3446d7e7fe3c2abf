import CoreDataModeling

/// The errors of a save that a store refused, with the conflicts that a merge policy or a program can look at.
struct SaveConflicts {
    let store: NSPersistentStore
    /// The objects that were to be saved.
    let objects: [NSManagedObject]

    /// Records were changed meanwhile: error 133020.
    func mergeError(_ addresses: [RowAddress]) -> NSError {
        let sources = index
        let conflicts = addresses.compactMap { address in
            sources[Place(address)].map { conflict(of: $0, at: address) }
        }
        for address in addresses { store.rowCache.forget(root: address.binding.layout.root, key: address.key) }
        return CoreDataError.conflicts(conflicts)
    }

    /// Values that must be unique are there already: error 133021.
    func constraintError(_ conflicts: [UniquenessConflict]) -> NSError {
        let sources = index
        return CoreDataError.constraintConflicts(
            conflicts.map { conflict in
                let objects = conflict.rows.compactMap { sources[Place($0)] }
                // A holder that is saved too is no record to compare with: it and the others are in each other's way.
                if let other = conflict.holder.flatMap({ sources[Place($0)] }) {
                    return constraintConflict(conflict.constraint, [other] + objects, nil)
                }
                return constraintConflict(conflict.constraint, objects, conflict.holder)
            })
    }

    private func constraintConflict(
        _ constraint: [String], _ objects: [NSManagedObject], _ holder: RowAddress?
    ) -> NSConstraintConflict {
        let context = objects.first?.registry?.context
        let databaseObject = holder.flatMap { context?.object(at: $0) }
        let record = holder.flatMap(stored)
        return NSConstraintConflict(
            constraint: constraint, databaseObject: databaseObject,
            databaseSnapshot: databaseObject.flatMap { record?.values(for: $0) }, conflicting: objects,
            conflictingSnapshots: objects.map { $0.committedValues(forKeys: $0.storedKeys) })
    }

    private func conflict(of object: NSManagedObject, at address: RowAddress) -> NSMergeConflict {
        let known = store.rowCache.row(root: address.binding.layout.root, key: address.key)
        let present = stored(address)
        let isKnown = known.map { $0.version == present?.version && $0.version != object.snapshotVersion } ?? false
        return NSMergeConflict(
            source: object, newVersion: Int(present?.version ?? 0), oldVersion: Int(object.snapshotVersion),
            cachedSnapshot: known?.values(for: object) ?? object.committedValues(forKeys: object.storedKeys),
            persistedSnapshot: isKnown ? nil : present?.values(for: object))
    }

    /// The row that the store has; one that cannot be read is none, since the conflict is what there is to tell.
    private func stored(_ address: RowAddress) -> RowReference? {
        guard let run = try? store.objects?.rows(of: address.binding, keys: [address.key]).first,
            let index = run.range.first
        else { return nil }
        return RowReference(slab: run.slab, index: index)
    }

    /// The objects by the places of their rows.
    private var index: [Place: NSManagedObject] {
        Dictionary(
            objects.map { (Place(root: $0.layout.root, key: $0.savedKey), $0) }, uniquingKeysWith: { first, _ in first }
        )
    }

    private struct Place: Hashable {
        let root: Int
        let key: Int64

        init(root: Int, key: Int64) {
            self.root = root
            self.key = key
        }

        init(_ address: RowAddress) { self.init(root: address.binding.layout.root, key: address.key) }
    }
}

extension RowReference {
    /// The row's attributes and to-one relationships by name: values, identifiers, and `NSNull` for nil.
    func values(for object: NSManagedObject) -> [String: Any] {
        var values: [String: Any] = [:]
        for (slot, description) in slab.layout.slots.prefix(slab.layout.storedCount).enumerated() {
            switch description.content {
            case .attribute(let attribute, let kind):
                values[description.name] =
                    SlotCoding.decode(slab, index, slot, kind, attribute, owner: object) ?? NSNull()
            case .toOne: values[description.name] = target(slot) ?? NSNull()
            case .targetNumber: continue
            }
        }
        return values
    }

    private func target(_ slot: Int) -> NSManagedObjectID? {
        guard slab.tag(index, slot) == RowTag.integer, slab.tag(index, slot + 1) == RowTag.integer,
            let store = slab.binding.store
        else { return nil }
        let layouts = slab.layout.model.entities
        guard let number = Int(exactly: slab.integer(index, slot + 1)), layouts.indices.contains(number) else {
            return nil
        }
        return NSManagedObjectID(
            binding: store.binding(for: layouts[number]), key: slab.integer(index, slot), isTemporary: false)
    }
}

extension NSManagedObject {
    /// The names of what a snapshot has: attributes that are stored, and to-one relationships.
    var storedKeys: [String] {
        layout.slots.prefix(layout.storedCount).compactMap {
            if case .targetNumber = $0.content { return nil }
            return $0.name
        }
    }
}
