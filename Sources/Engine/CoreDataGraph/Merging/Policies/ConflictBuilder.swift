import CoreDataStore

/// Makes the conflicts that a merge policy or a program can look at from what a store refused.
///
/// The rows are read together, however many conflicts there are.
struct ConflictBuilder {
    let store: NSPersistentStore
    /// The objects that were to be saved, and those that were only to be checked.
    let objects: [NSManagedObject]

    /// The conflicts of objects whose records were changed meanwhile.
    ///
    /// Deleted objects whose records are gone do not conflict; they are returned separately.
    /// - Throws: the store's error, when the records cannot be read.
    func merging(_ addresses: [RowAddress]) throws -> (conflicts: [NSMergeConflict], gone: [NSManagedObject]) {
        let sources = sources
        let known = addresses.map { store.rowCache.row(root: $0.binding.layout.root, key: $0.key) }
        let present = try store.storedRows(addresses)
        var conflicts: [NSMergeConflict] = []
        var gone: [NSManagedObject] = []
        for (address, known) in zip(addresses, known) {
            guard let object = sources[RowKey(address)]?.object else { continue }
            let row = present[RowKey(address)]
            if row == nil, object.isDeleted {
                gone.append(object)
            } else {
                let written = store.rowCache.writtenVersion(root: address.binding.layout.root, key: address.key)
                conflicts.append(conflict(of: object, known: known, written: written, present: row))
            }
        }
        return (conflicts, gone)
    }

    /// Where the coordinator knows the present version, as another of its contexts wrote it, or has read it since, its
    /// snapshot is the cached one and the persisted one is nil.
    ///
    /// `written` is the version that the coordinator wrote last, if that row is no longer cached; 0 for a deletion.
    private func conflict(
        of object: NSManagedObject, known: RowSnapshot?, written: Int64?, present: RowSnapshot?
    ) -> NSMergeConflict {
        let version = known?.version ?? written
        guard let version, version == present?.version ?? 0, version != object.snapshotVersion else {
            return NSMergeConflict(
                of: object, row: present, cached: known?.values(for: object) ?? object.committedSnapshot,
                persisted: present?.values(for: object))
        }
        return NSMergeConflict(of: object, row: present, cached: present?.values(for: object), persisted: nil)
    }

    /// The conflicts of objects with values that must be unique and are there already.
    ///
    /// - Throws: the store's error, when the records cannot be read.
    func constraints(_ conflicts: [UniquenessConflict]) throws -> [NSConstraintConflict] {
        let sources = sources
        // A holder that is saved too is not a record to compare with: it and the others are in each other's way.
        let records = conflicts.compactMap(\.holder).filter { sources[RowKey($0)] == nil }
        let rows = try store.storedRows(records)
        return conflicts.map { conflict in
            let holder = conflict.holder.map(RowKey.init)
            let rivals = conflict.rows.map(RowKey.init) + (holder.map { [$0] } ?? [])
            let objects = rivals.compactMap { sources[$0] }.sorted { $0.order < $1.order }.map(\.object)
            guard let address = conflict.holder, let holder, sources[holder] == nil else {
                return NSConstraintConflict(of: objects, constraint: conflict.constraint, databaseObject: nil, row: nil)
            }
            let row = rows[holder]
            return NSConstraintConflict(
                of: objects, constraint: conflict.constraint, databaseObject: object(at: address, row), row: row)
        }
    }

    /// The context's object of a record, with the values of the row if it had none.
    private func object(at address: RowAddress, _ row: RowSnapshot?) -> NSManagedObject? {
        let place = RowAddress(binding: row?.slab.binding ?? address.binding, key: address.key)
        return objects.first?.registry?.context?.object(at: place)
    }

    /// The objects by the places of their rows, each with its number among them.
    private var sources: [RowKey: (object: NSManagedObject, order: Int)] {
        Dictionary(
            objects.enumerated().map {
                (RowKey(RowAddress(binding: store.binding(for: $1.layout), key: $1.savedKey)), ($1, $0))
            },
            uniquingKeysWith: { first, _ in first })
    }
}

extension NSPersistentStore {
    /// The rows of records as the store has them, which are the newest known ones from now on; without those that are gone.
    func storedRows(_ addresses: [RowAddress]) throws -> [RowKey: RowSnapshot] {
        var rows: [RowKey: RowSnapshot] = [:]
        for group in Dictionary(grouping: addresses, by: { $0.binding.layout.number }).values {
            let binding = group[0].binding
            for row in try storedRows(binding, keys: Array(Set(group.map(\.key)))) {
                rows[RowKey(RowAddress(binding: binding, key: row.key))] = row
            }
        }
        for address in addresses where rows[RowKey(address)] == nil {
            rowCache.forget(root: address.binding.layout.root, key: address.key)
        }
        return rows
    }
}

extension RowSnapshot {
    /// The row's attributes and to-one relationships by name: values, identifiers, and `NSNull` for nil.
    func values(for object: NSManagedObject) -> [String: Any] {
        var values: [String: Any] = [:]
        for (slot, description) in slab.layout.slots.prefix(slab.layout.storedCount).enumerated() {
            switch description.content {
            case .attribute(let attribute, let kind):
                values[description.name] =
                    SlotCoding.decode(slab, index: index, slot: slot, kind: kind, attribute: attribute, owner: object)
                    ?? NSNull()
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

    /// The committed values as conflicts give them, related objects as their identifiers; none of a new object.
    var committedSnapshot: [String: Any] {
        committedValues(forKeys: storedKeys).mapValues { ($0 as? NSManagedObject)?.objectID ?? $0 }
    }
}
