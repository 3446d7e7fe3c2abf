import CoreDataStore

/// Makes objects for rows, at most one for each record.
extension NSManagedObjectContext {
    /// The binding of the unsaved objects of an entity.
    func temporaryBinding(_ layout: EntityLayout) -> EntityBinding {
        while temporaryBindings.count <= layout.number { temporaryBindings.append(nil) }
        // The context may have got a coordinator with another model since.
        if let known = temporaryBindings[layout.number], known.layout === layout { return known }
        let made = EntityBinding(layout: layout, store: nil, storeNumber: 0)
        temporaryBindings[layout.number] = made
        return made
    }

    /// The layout of an entity in the context's model; nil for an entity of another model.
    func layout(of entity: NSEntityDescription) -> EntityLayout? {
        if let layout = recentScope?.binding.layout, layout.entity === entity { return layout }
        return modelLayout.layout(of: entity)
    }

    /// The scope of the unsaved objects of an entity.
    func temporaryScope(_ layout: EntityLayout) -> ObjectScope {
        if let recentScope, recentScope.binding.layout === layout { return recentScope }
        let scope = registry.scope(of: temporaryBinding(layout))
        recentScope = scope
        return scope
    }

    func retainIfAsked(_ object: NSManagedObject) {
        if strong == nil {
            // A subclass of the program may override `retainsRegisteredObjects`.
            guard type(of: self) != NSManagedObjectContext.self, retainsRegisteredObjects else { return }
            strong = [:]
        }
        strong?[ObjectIdentifier(object)] = object
    }

    func forgetRetained() { if strong != nil { strong = [:] } }

    func forgetRetained(_ object: NSManagedObject) {
        if strong?.isEmpty == false { strong?[ObjectIdentifier(object)] = nil }
    }

    /// This context's binding for the entity of a binding of another context of its family.
    func localBinding(_ binding: EntityBinding) -> EntityBinding {
        binding.isTemporary ? temporaryBinding(binding.layout) : binding
    }

    /// This context's address for the object at an address of another context of its family.
    func localAddress(_ address: RowAddress) -> RowAddress {
        guard address.binding.isTemporary else { return address }
        return knownIdentities[address.key]
            ?? RowAddress(binding: temporaryBinding(address.binding.layout), key: address.key)
    }

    /// The binding in this context's coordinator for an identifier, which may be of another coordinator; nil if there
    /// is none.
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

    /// The registered object at a row address, or a new fault.
    func object(at address: RowAddress) -> NSManagedObject {
        registry.object(table: address.binding.table, key: address.key)
            ?? makeFault(address.binding, key: address.key, isTemporary: address.binding.isTemporary)
    }

    /// The objects at the addresses that a store found, with new faults, registered together, for those not yet in the
    /// context. All rows must be of one table of identities, saved, and in the list once.
    func objects(at list: AddressList) -> [NSManagedObject] {
        guard list.count > 0 else { return [] }
        let (known, missing) = registry.objects(table: list.binding(at: 0).table, keys: list.keys)
        let objects =
            switch missing {
            case 0: known.complete()
            case list.count where list.isOfOneEntity: newFaults(list)
            default: completed(known, missing: missing, list: list)
            }
        if retainsRegisteredObjects { for object in objects { retainIfAsked(object) } }
        return objects
    }

    /// Faults of one entity that are not in the context yet.
    private func newFaults(_ list: AddressList) -> [NSManagedObject] {
        let (binding, keys) = (list.binding(at: 0), list.keys)
        let flags = registry.memberFlags.union(.fault)
        return Array(unsafeUninitializedCapacity: keys.count) { buffer, count in
            let places = UnsafeMutableBufferPointer(rebasing: buffer[..<keys.count])
            registry.scope(of: binding).makeObjects(at: places) { object, number in
                object.key = keys[number]
                object.flags.formUnion(flags)
            }
            count = keys.count
            registry.register(UnsafeBufferPointer(places), table: binding.table) { keys[$0] }
        }
    }

    /// The registered objects, with new faults in place of the missing ones.
    private func completed(_ known: [NSManagedObject?], missing: Int, list: AddressList) -> [NSManagedObject] {
        var objects = known.isEmpty ? Array(repeating: nil, count: list.count) : known
        var faults: [NSManagedObject] = []
        faults.reserveCapacity(missing)
        for index in objects.indices where objects[index] == nil {
            let fault = unregisteredFault(registry.scope(of: list.binding(at: index)), key: list.keys[index])
            objects[index] = fault
            faults.append(fault)
        }
        faults.withUnsafeBufferPointer { faults in
            registry.register(faults, table: list.binding(at: 0).table) { faults[$0].key }
        }
        return objects.complete()
    }

    /// The object that a to-one slot of a row refers to; nil if the slot has no target or one of an unknown entity.
    func object(forReferenceIn slab: RowSlab, row: Int, slot: Int) -> NSManagedObject? {
        guard let (address, isExact) = address(ofReferenceIn: slab, row: row, slot: slot) else { return nil }
        guard !isExact, !address.binding.layout.entity.subentities.isEmpty else { return object(at: address) }
        return object(at: RowAddress(binding: actualBinding(address.binding, key: address.key), key: address.key))
    }

    /// The object that a to-one slot of a row refers to, if the context has it.
    func registeredObject(forReferenceIn slab: RowSlab, row: Int, slot: Int) -> NSManagedObject? {
        address(ofReferenceIn: slab, row: row, slot: slot).flatMap {
            registry.object(table: $0.address.binding.table, key: $0.address.key)
        }
    }

    /// The address that a to-one slot of a row refers to, and whether it has the record's own entity or maybe an
    /// ancestor of it.
    private func address(ofReferenceIn slab: RowSlab, row: Int, slot: Int) -> (address: RowAddress, isExact: Bool)? {
        guard slot < slab.layout.storedCount, case .toOne(let relationship) = slab.layout.slots[slot].content else {
            return nil
        }
        if let held = slab.held(row, slot) { return (held as? RowAddress).map { (localAddress($0), true) } }
        guard slab.tag(row, slot) == RowTag.integer, let store = slab.binding.store else { return nil }
        let number = slab.tag(row, slot + 1) == RowTag.integer ? slab.integer(row, slot + 1) : -1
        let layouts = slab.layout.model.entities
        let target =
            number >= 0 && number < Int64(layouts.count)
            ? layouts[Int(number)] : relationship.destinationEntity.flatMap { slab.layout.model.layout(of: $0) }
        guard let target else { return nil }
        return (RowAddress(binding: store.binding(for: target), key: slab.integer(row, slot)), number >= 0)
    }

    /// The binding of a record's own entity, read from its row, since a reference may name only an ancestor.
    func actualBinding(_ binding: EntityBinding, key: Int64) -> EntityBinding {
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

    /// The members of a to-many relationship in the store; nil, after reporting the error, when they cannot be read.
    func storedMembers(of object: NSManagedObject, _ relationship: NSRelationshipDescription) -> [NSManagedObject]? {
        do {
            let list = try dataSource.members(of: relationship, owner: object)
            faultBatches.note(list)
            // Only saved members of one entity, without duplicates, can be registered together.
            return list.isOfOneEntity && list.isAscending && !list.binding(at: 0).isTemporary
                ? objects(at: list) : list.map { self.object(at: $0) }
        } catch {
            readingFailure = error
            report(error, for: object)
            return nil
        }
    }
}

extension [NSManagedObject?] {
    /// The list without optionals, for a list without nil: arrays of both types have the same memory layout.
    fileprivate consuming func complete() -> [NSManagedObject] {
        RuntimeShortcuts.array(self, as: NSManagedObject.self)
    }
}
