import CoreDataStore

/// One merge of saved changes into a context.
///
/// It first reads all rows that it needs, with a bounded number of queries to each store, then gives all objects their
/// new values, and only then notifies observers, so that no observer sees some of the objects changed and others not.
struct ChangeMerge {
    let context: NSManagedObjectContext
    /// The rows of the context's stores that were inserted, updated and deleted.
    private var inserted: [RowAddress] = []
    private var updated: [RowAddress] = []
    private var deleted: [RowAddress] = []
    /// The objects that the notification of the merge lists as inserted, as refreshed, and as deleted.
    private var arrivals: [NSManagedObject] = []
    private var refreshed: [NSManagedObject] = []
    private var leaving: [NSManagedObject] = []
    private var seen: Set<ObjectIdentifier> = []

    init(_ changes: SavedChanges, into context: NSManagedObjectContext) {
        self.context = context
        deleted = changes.deleted.compactMap(localAddress)
        updated = changes.updated.compactMap(localAddress)
        inserted = insertedAddresses(changes.inserted)
    }

    /// Whether none of the changed rows are in the context's stores.
    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// Merges the saved insertions, updates and deletions into the context's objects, and posts its notifications.
    mutating func run() {
        leaving = deleted.compactMap(registered).filter {
            !$0.flags.contains(.mergedDeletion) && seen.insert(ObjectIdentifier($0)).inserted
        }
        let stale = updated.compactMap(registered).filter { seen.insert(ObjectIdentifier($0)).inserted }
        let present = inserted.map { (object: registered($0), address: $0) }
        let known = present.compactMap(\.object).filter { seen.insert(ObjectIdentifier($0)).inserted }
        refreshed = stale
        replaceValues(of: stale + known)
        arrivals = present.compactMap { object, address in
            guard let object else { return arrival(address) }
            return object.registry == nil || object.isDeleted ? nil : object
        }
        announce()
    }

    // MARK: Addresses

    /// Returns the address of an identifier's row in the context's own coordinator; nil if it lacks the row's store.
    ///
    /// If the identifier belongs to another coordinator, that one changed the row: the own coordinator's cached row is
    /// outdated and is removed from its row cache.
    private func localAddress(_ identifier: NSManagedObjectID) -> RowAddress? {
        guard !identifier.isTemporaryID else { return familyAddress(identifier) }
        guard let binding = context.localBinding(of: identifier), let store = binding.store
        else { return nil }
        if store !== identifier.binding.store { store.rowCache.forget(root: binding.layout.root, key: identifier.key) }
        return RowAddress(binding: binding, key: identifier.key)
    }

    /// Returns the address in this child context of an object that its parent or a sibling knows by a temporary
    /// identifier; nil for a context without a parent.
    private func familyAddress(_ identifier: NSManagedObjectID) -> RowAddress? {
        guard context.parent != nil else { return nil }
        return context.localAddress(RowAddress(binding: identifier.binding, key: identifier.key))
    }

    /// Returns the addresses of inserted rows, except those that are deleted too. An identifier made from a URI may
    /// name an ancestor of the record's entity: the row is then read for its own entity, and left out if it does not
    /// exist.
    private func insertedAddresses(_ identifiers: [NSManagedObjectID]) -> [RowAddress] {
        let gone = Set(deleted.map(RowKey.init))
        let addresses = identifiers.compactMap { identifier in
            localAddress(identifier).map { (address: $0, isVague: identifier.namesAncestor) }
        }.filter { !gone.contains(RowKey($0.address)) }
        let vague = addresses.filter(\.isVague).map(\.address)
        guard !vague.isEmpty else { return addresses.map(\.address) }
        let rows = context.newestRowsOrReport(vague)
        return addresses.compactMap { address, isVague in
            guard isVague else { return address }
            return rows[RowKey(address)].map { RowAddress(binding: $0.slab.binding, key: address.key) }
        }
    }

    /// Returns the registered object of a row, unless it is inserted in this context and not saved yet.
    private func registered(_ address: RowAddress) -> NSManagedObject? {
        guard let object = anyRegistered(address), !object.isInserted else { return nil }
        return object
    }

    private func anyRegistered(_ address: RowAddress) -> NSManagedObject? {
        context.registry.object(table: address.binding.table, key: address.key)
    }

    /// Returns a new fault for a row without an object in the context; a cached row becomes its snapshot.
    private func arrival(_ address: RowAddress) -> NSManagedObject? {
        guard anyRegistered(address) == nil else { return nil }
        let row: RowSnapshot?
        if address.binding.isTemporary {
            // The unsaved object may belong to another parent; it is ignored if this context's parent does not have it.
            row = try? context.dataSource.row(address.binding, key: address.key)
            guard row != nil else { return nil }
        } else {
            row = context.dataSource.knownRow(address.binding, key: address.key, maximumAge: -1)
        }
        let object = context.object(at: context.localAddress(address))
        if let row { _ = object.adopt(row.slab, row.index) }
        return object
    }

    // MARK: Values

    private mutating func replaceValues(of objects: [NSManagedObject]) {
        let filled = objects.filter { $0.flags.isDisjoint(with: [.fault, .inaccessible]) }
        for object in objects where !object.flags.isDisjoint(with: [.fault, .inaccessible]) { object.renewFault() }
        let rows: [RowKey: RowSnapshot]
        do {
            rows = try context.newestRows(filled.map { RowAddress(binding: $0.binding, key: $0.key) })
        } catch {
            context.report(error, for: nil)
            for object in filled where !object.hasChanges { object.turnIntoFault() }
            return replaceValues(of: [], [:])
        }
        leaving += filled.filter { rows[RowKey($0)] == nil }
        replaceValues(of: filled, rows)
    }

    private mutating func replaceValues(of objects: [NSManagedObject], _ rows: [RowKey: RowSnapshot]) {
        let gone = Set(leaving)
        refreshed.removeAll(where: gone.contains)
        let left = objects.filter { !gone.contains($0) }
        let known = Set(left)
        let neighbours = Set(leaving.flatMap(\.loadedTargets)).filter { $0.registry === context.registry }
        let touched = left + neighbours.filter { !gone.contains($0) && !known.contains($0) }
        NSManagedObject.replaceValues(of: touched) {
            for object in left { rows[RowKey(object)].map(object.takeMergedRow) }
            // An object with values keeps them until the next save; a fault, which has none, leaves the context now.
            for object in leaving {
                let isFilled = object.flags.isDisjoint(with: [.fault, .inaccessible])
                if isFilled { object.becomeDeletedByMerge() } else { object.leaveMerged() }
            }
            context.dropLeft()
            for object in left { object.awake(fromSnapshotEvents: .refresh) }
        }
    }

    // MARK: Notifications

    private func announce() {
        var sets: [String: Set<NSManagedObject>] = [:]
        for (key, objects) in [
            (NSInsertedObjectsKey, arrivals), (NSRefreshedObjectsKey, refreshed), (NSDeletedObjectsKey, leaving),
        ] where !objects.isEmpty {
            sets[key] = Set(objects)
        }
        if !context.liveResults.isEmpty { notifyLists(of: sets.values.joined()) }
        if !sets.isEmpty { context.post(.NSManagedObjectContextObjectsDidChange, sets.forNotification) }
        context.liveResults.notify()
        for object in leaving where object.registry == nil { object.becomeDeleted() }
        let merged = SavedChanges(
            inserted: inserted.map(\.objectID), updated: updated.map(\.objectID), deleted: deleted.map(\.objectID))
        var userInfo = merged.userInfo(of: context)
        if !refreshed.isEmpty { userInfo[NSRefreshedObjectIDsKey] = Set(refreshed.map(\.objectID)) }
        context.post(.NSManagedObjectContextDidMergeChangesObjectIDs, userInfo)
    }

    /// Informs the lists that follow the context (such as fetched results) of the given objects, and of the updated and
    /// deleted rows that have no object among them.
    private func notifyLists(of objects: some Sequence<NSManagedObject>) {
        let known = Set(objects.map { RowKey($0) })
        context.liveResults.note(objects)
        context.liveResults.note(updated.filter { !known.contains(RowKey($0)) })
        context.liveResults.noteGone(deleted.filter { !known.contains(RowKey($0)) })
    }
}
