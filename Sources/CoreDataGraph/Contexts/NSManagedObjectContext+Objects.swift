import CoreDataStore

extension NSManagedObjectContext {
    /// The object of a record if the context has it already; asks no store.
    public func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        checkQueue()
        guard let binding = localBinding(of: objectID) else { return nil }
        return registry.object(table: binding.table, key: objectID.key)
    }

    func knownOrFault(_ objectID: NSManagedObjectID) -> NSManagedObject {
        if let known = registeredObject(for: objectID) { return known }
        guard let binding = localBinding(of: objectID) else {
            stop("The store of \(objectID) is not among those of the context's coordinator.")
        }
        if objectID.isTemporaryID {
            let object = makeFault(temporaryBinding(binding.layout), key: objectID.key, isTemporary: true)
            if parent == nil { object.slab = binding.blankRow }
            return object
        }
        guard objectID.namesAncestor else { return makeFault(binding, key: objectID.key, isTemporary: false) }
        // The object must be of the class of the record's own entity, and there must be no second one of another class.
        return object(at: RowAddress(binding: actualBinding(binding, key: objectID.key), key: objectID.key))
    }

    func knownOrRead(_ objectID: NSManagedObjectID) throws -> NSManagedObject {
        if let known = registeredObject(for: objectID) {
            if known.flags.isDisjoint(with: [.fault, .inaccessible]) { return known }
            if !objectID.isTemporaryID { return try filled(known) }
        }
        guard !objectID.isTemporaryID || parent != nil else { throw CoreDataError.temporaryIdentifier(objectID) }
        // The record may be of a sub-entity of the one that the identifier names: the row knows.
        guard let binding = localBinding(of: objectID), let row = try dataSource.row(binding, key: objectID.key),
            row.slab.layout.entity.isKindOf(entity: binding.layout.entity)
        else { throw CoreDataError.missingRecord(objectID) }
        return try filled(object(at: RowAddress(binding: localBinding(row.slab.binding), key: row.key)))
    }

    private func filled(_ object: NSManagedObject) throws -> NSManagedObject {
        object.flags.insert(.fault)
        guard try FaultResolver.fill(object) else { throw CoreDataError.missingRecord(object.objectID) }
        FaultResolver.awake(object)
        return object
    }

    /// All objects that the context has, in no order.
    public var registeredObjects: Set<NSManagedObject> {
        checkQueue()
        return Set(registry.allObjects())
    }

    /// The objects inserted since the last save.
    public var insertedObjects: Set<NSManagedObject> {
        checkQueue()
        return Set(pending.lazy.filter { $0.isInserted && !$0.isDeleted })
    }

    /// The saved objects changed since the last save.
    public var updatedObjects: Set<NSManagedObject> {
        checkQueue()
        return Set(pending.lazy.filter(\.isUpdated))
    }

    /// The saved objects deleted since the last save, here or, as merges have told, elsewhere.
    public var deletedObjects: Set<NSManagedObject> {
        checkQueue()
        let deleted = Set(pending.lazy.filter { $0.isDeleted && !$0.isInserted })
        return mergedDeletions.isEmpty ? deleted : deleted.union(deletedByMerges)
    }

    /// Whether there is something to save.
    public var hasChanges: Bool {
        checkQueue()
        return pending.contains { $0.hasChanges && !$0.flags.isSuperset(of: [.inserted, .deleted]) }
    }

    func takeIn(_ object: NSManagedObject) {
        if object.flags.contains(.mergedDeletion), object.registry === registry {
            // Its record will not come back: the object becomes a new one.
            object.leaveMerged()
            object.becomeDeleted()
        }
        if object.registry === registry {
            if object.isDeleted { undelete(object) }
            return
        }
        guard object.registry == nil else {
            stop("An NSManagedObject cannot be inserted into two contexts: \(object.objectID)")
        }
        if let error = object.unusableReason, object.flags.contains(.invalidated) { stop(error.localizedDescription) }
        // With an object made without a context come those that it was related to meanwhile.
        var open = [object]
        while let next = open.popLast() {
            guard next.registry == nil else { continue }
            next.join(self)
            open += next.loadedTargets.filter { $0.registry == nil && $0.flags.contains(.temporary) }
        }
    }

    func deleteLive(_ object: NSManagedObject) {
        guard object.registry === registry else {
            stop("An NSManagedObjectContext cannot delete objects in other contexts.")
        }
        // The save needs the version of the row; a record that is gone already counts as deleted.
        object.fireFaultIfNeeded()
        guard !object.isDeleted, !object.flags.contains(.inaccessible), object.announceDeletion() else { return }
        registry.journal.noteDeletion(object)
        object.flags.insert(.deleted)
        object.flags.remove(.deletionPropagated)
        objectChanged(object)
        object.tellTrackersOfDeletion()
    }

    func undelete(_ object: NSManagedObject) {
        object.flags.remove([.deleted, .deletionPropagated])
        registry.journal.noteLife(.undeletion, of: object)
        objectChanged(object)
    }

    // MARK: Changes

    /// Puts an object among those to be saved and those to be announced.
    func objectChanged(_ object: NSManagedObject) {
        if object.flags.insert(.pending).inserted { pending.append(object) }
        if object.flags.insert(.unannounced).inserted { unannounced.append(object) }
        scheduleEndOfEvent()
    }

    /// Puts an object among those that the next notification names as refreshed.
    func objectRefreshed(_ object: NSManagedObject) {
        refreshed.append(object)
        scheduleEndOfEvent()
    }

    /// A main-queue context announces its changes when the main queue comes to it; others at the end of `perform`.
    private func scheduleEndOfEvent() {
        guard concurrencyType == .mainQueueConcurrencyType, !isEndOfEventScheduled else { return }
        isEndOfEventScheduled = true
        queue.async { [weak self] in
            guard let self else { return }
            self.isEndOfEventScheduled = false
            self.processPendingChanges()
        }
    }

    // MARK: Making objects for rows

    /// The binding by which this context calls the entity of a binding of another context of its family.
    func localBinding(_ binding: EntityBinding) -> EntityBinding {
        binding.isTemporary ? temporaryBinding(binding.layout) : binding
    }

    /// Where this context has the object of an address of another context of its family.
    func localAddress(_ address: RowAddress) -> RowAddress {
        guard address.binding.isTemporary else { return address }
        return knownIdentities[address.key]
            ?? RowAddress(binding: temporaryBinding(address.binding.layout), key: address.key)
    }

    /// The binding in this context's coordinator that an identifier, perhaps of another coordinator, stands for.
    func localBinding(of objectID: NSManagedObjectID) -> EntityBinding? {
        if objectID.isTemporaryID { return temporaryBinding(objectID.binding.layout) }
        guard let persistentStoreCoordinator else { return nil }
        if let store = objectID.binding.store, store.persistentStoreCoordinator === persistentStoreCoordinator {
            return objectID.binding
        }
        let identifier = objectID.storeIdentifier
        guard let local = persistentStoreCoordinator.persistentStores.first(where: { $0.identifier == identifier }),
            let layout = modelLayout.layout(of: objectID.entity)
        else { return nil }
        return local.binding(for: layout)
    }

    /// A new registered fault.
    func makeFault(_ binding: EntityBinding, key: Int64, isTemporary: Bool) -> NSManagedObject {
        let object = unregisteredFault(registry.scope(of: binding), key: key)
        if isTemporary { object.flags.insert(.temporary) }
        registry.register(object, table: binding.table, key: key)
        retainIfAsked(object)
        return object
    }

    private func unregisteredFault(_ scope: ObjectScope, key: Int64) -> NSManagedObject {
        let object = scope.makeObject()
        object.key = key
        object.flags.formUnion(registry.memberFlags.union(.fault))
        return object
    }

    /// The object of a row address, as a fault if the context does not have it.
    func object(at address: RowAddress) -> NSManagedObject {
        registry.object(table: address.binding.table, key: address.key)
            ?? makeFault(address.binding, key: address.key, isTemporary: address.binding.isTemporary)
    }

    /// The objects of what a store found, as faults where the context does not have them, which are registered together: all
    /// rows are of one table of identities, none is unsaved, and none is in the list twice.
    func objects(at list: AddressList) -> [NSManagedObject] {
        guard list.count > 0 else { return [] }
        let (known, missing) = registry.objects(table: list.binding(at: 0).table, keys: list.keys)
        let objects =
            switch missing {
            case 0: known.complete()
            case list.count where list.isOfOneEntity: newFaults(list)
            default: completed(known, missing, list)
            }
        if retainsRegisteredObjects { for object in objects { retainIfAsked(object) } }
        return objects
    }

    /// Faults of one entity, none of which the context has yet.
    private func newFaults(_ list: AddressList) -> [NSManagedObject] {
        let (binding, keys) = (list.binding(at: 0), list.keys)
        let flags = registry.memberFlags.union(.fault)
        var faults: [NSManagedObject] = []
        faults.reserveCapacity(keys.count)
        registry.scope(of: binding).appendObjects(keys.count, to: &faults) { object, number in
            object.key = keys[number]
            object.flags.formUnion(flags)
        }
        registry.register(faults, table: binding.table) { keys[$0] }
        return faults
    }

    /// The objects that the context has, with faults in the gaps.
    private func completed(_ known: [NSManagedObject?], _ missing: Int, _ list: AddressList) -> [NSManagedObject] {
        var objects = known.isEmpty ? Array(repeating: nil, count: list.count) : known
        var faults: [NSManagedObject] = []
        faults.reserveCapacity(missing)
        for index in objects.indices where objects[index] == nil {
            let fault = unregisteredFault(registry.scope(of: list.binding(at: index)), key: list.keys[index])
            objects[index] = fault
            faults.append(fault)
        }
        registry.register(faults, table: list.binding(at: 0).table) { faults[$0].key }
        return objects.complete()
    }

    /// The object that a to-one slot of a row refers to; nil where the slot's target is of no known entity.
    func object(forReferenceIn slab: RowSlab, row: Int, slot: Int) -> NSManagedObject? {
        guard slot < slab.layout.storedCount, case .toOne(let relationship) = slab.layout.slots[slot].content else {
            return nil
        }
        if let held = slab.held(row, slot) { return (held as? RowAddress).map { object(at: localAddress($0)) } }
        guard slab.tag(row, slot) == RowTag.integer, let store = slab.binding.store else { return nil }
        let number = slab.tag(row, slot + 1) == RowTag.integer ? slab.integer(row, slot + 1) : -1
        let layouts = slab.layout.model.entities
        let target =
            number >= 0 && number < Int64(layouts.count)
            ? layouts[Int(number)] : relationship.destinationEntity.flatMap { slab.layout.model.layout(of: $0) }
        guard let target else { return nil }
        let address = RowAddress(binding: store.binding(for: target), key: slab.integer(row, slot))
        guard number < 0, !target.entity.subentities.isEmpty else { return object(at: address) }
        return object(at: RowAddress(binding: actualBinding(address.binding, key: address.key), key: address.key))
    }

    /// The binding of a row's own entity, asked of the store where a reference names only an ancestor of it.
    private func actualBinding(_ binding: EntityBinding, key: Int64) -> EntityBinding {
        do {
            guard let row = try dataSource.row(binding, key: key)?.slab.binding,
                row.layout.entity.isKindOf(entity: binding.layout.entity)
            else { return binding }
            return row
        } catch {
            report(error, for: nil)
            return binding
        }
    }

    /// What the store has as the members of a to-many relationship; nil, and reported, when it cannot be read.
    func storedMembers(of object: NSManagedObject, _ relationship: NSRelationshipDescription) -> [NSManagedObject]? {
        do {
            let list = try dataSource.members(of: relationship, owner: object)
            faultBatches.note(list)
            // Only stored members of one entity, none of them twice, can be registered together.
            return list.isOfOneEntity && list.isAscending && !list.binding(at: 0).isTemporary
                ? objects(at: list) : list.map { self.object(at: $0) }
        } catch {
            readingFailure = error
            report(error, for: object)
            return nil
        }
    }
}

extension NSManagedObject {
    /// Calls `prepareForDeletion`; false when it is running already, or the object was deleted there.
    func announceDeletion() -> Bool {
        guard !flags.contains(.preparingDeletion) else { return false }
        flags.insert(.preparingDeletion)
        prepareForDeletion()
        flags.remove(.preparingDeletion)
        return registry != nil && !flags.contains(.deleted)
    }

    /// The related objects that are known without asking a store.
    var loadedTargets: [NSManagedObject] {
        guard let working else { return [] }
        return working.objects + working.toMany.flatMap { $0?.objects ?? [] }
            + working.toMany.flatMap { $0?.added.objects ?? [] }
    }

    /// Makes the object one of a context's inserted ones.
    func join(_ context: NSManagedObjectContext) {
        context.checkQueue("insertion")
        guard !entity.isAbstract else {
            stop("Cannot create an instance of abstract entity '\(entity.name ?? "")': insert one of its sub-entities.")
        }
        if type(of: self) != layout.objectClass { context.registry.hasOtherClasses = true }
        if flags.contains(.withdrawn) {
            reenter(context)
            return releaseStrangers(loading: false)
        }
        let registry = context.registry
        let binding = context.temporaryBinding(layout)
        let scope = registry.scope(of: binding)
        if flags.contains(.left) { becomeNew(in: scope) } else { move(to: scope) }
        flags.formUnion(registry.memberFlags.union(.inserted))
        registry.register(self, table: binding.table, key: key)
        context.retainIfAsked(self)
        context.objectChanged(self)
        registry.journal.noteInsertion(self)
        awakeFromInsert()
    }
}

extension [NSManagedObject?] {
    /// The same list without the type's nil, none of which is in it: a reference is laid out alike with and without.
    fileprivate consuming func complete() -> [NSManagedObject] {
        RuntimeShortcuts.array(self, as: NSManagedObject.self)
    }
}
