import CoreDataStore

/// Converts the conflicts that a store reported for a save plan into the conflict objects of merge policies and errors.
///
/// All rows are read together, with a bounded number of queries.
struct ConflictBuilder {
    let store: NSPersistentStore
    /// The objects that the save writes, and those for which the program called `detectConflicts(for:)`.
    let objects: [NSManagedObject]

    /// Returns the conflicts of objects whose records were changed or deleted since the objects were read.
    ///
    /// A deleted object whose record was deleted too is not in conflict; it is returned in `gone`.
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

    /// Makes a conflict. If the store's present version was written by this coordinator for another of its contexts, or has
    /// been read by one of them since, the present row is the conflict's cached snapshot and its persisted snapshot is nil.
    ///
    /// `known` is the coordinator's cached row; if there is none, `written` is the version that the coordinator last
    /// wrote, 0 for a deletion.
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

    /// Returns the conflicts of objects whose values of a uniqueness constraint another object or record has.
    ///
    /// - Throws: the store's error, when the records cannot be read.
    func constraints(_ conflicts: [UniquenessConflict]) throws -> [NSConstraintConflict] {
        let sources = sources
        // A record that the same save changes is not a database object: its object is one of those in conflict.
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

    /// Returns the context's object of a record; a new object is a fault.
    private func object(at address: RowAddress, _ row: RowSnapshot?) -> NSManagedObject? {
        let place = RowAddress(binding: row?.slab.binding ?? address.binding, key: address.key)
        return objects.first?.registry?.context?.object(at: place)
    }

    /// The objects by the keys of their rows, each with its position in `objects`.
    private var sources: [RowKey: (object: NSManagedObject, order: Int)] {
        Dictionary(
            objects.enumerated().map {
                (RowKey(RowAddress(binding: store.binding(for: $1.layout), key: $1.savedKey)), ($1, $0))
            },
            uniquingKeysWith: { first, _ in first })
    }
}

extension NSPersistentStore {
    /// Reads rows from the store and puts them into the row cache. Rows that the store no longer has are missing in the
    /// result and are removed from the cache.
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
    /// The values of the row's attributes and the identifiers of its to-one relationships by name; `NSNull` for nil.
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
    /// The names of the properties in a snapshot: stored attributes and to-one relationships.
    var storedKeys: [String] {
        layout.slots.prefix(layout.storedCount).compactMap {
            if case .targetNumber = $0.content { return nil }
            return $0.name
        }
    }

    /// The committed values in the form of a conflict's snapshots, with identifiers of related objects; empty for an
    /// inserted one.
    var committedSnapshot: [String: Any] {
        committedValues(forKeys: storedKeys).mapValues { ($0 as? NSManagedObject)?.objectID ?? $0 }
    }
}
