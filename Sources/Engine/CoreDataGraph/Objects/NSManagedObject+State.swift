import CoreDataStore

extension NSManagedObject {
    /// The context of the object; nil after the object was deleted and saved, and if the context was deallocated.
    ///
    /// May be read on any thread.
    public var managedObjectContext: NSManagedObjectContext? {
        Self.identifiers.withLock(of: self) { _ in scope }?.registry?.context
    }

    /// The entity of the object.
    public var entity: NSEntityDescription { layout.entity }

    /// The object's identifier, which changes when the object is first saved or gets a permanent identifier. May be
    /// read on any thread.
    public var objectID: NSManagedObjectID {
        Self.identifiers.withValue(of: self) { known in
            if let known { return known }
            let made = NSManagedObjectID(binding: binding, key: key, isTemporary: binding.isTemporary)
            known = made
            isIdentified = true
            return made
        }
    }

    /// The identifiers of living objects whose `objectID` was read; before that, an object has none in this table.
    static let identifiers = SideTable<NSManagedObjectID>()

    /// Moves the object to another scope, and gives it a new identifier if a key is given.
    func move(to newScope: ObjectScope?, key newKey: Int64? = nil) {
        // The former scope and identifier are released outside the lock.
        var (formerScope, formerIdentifier): (ObjectScope?, NSManagedObjectID?) = (newScope, nil)
        Self.identifiers.withLock(of: self) { known in
            swap(&scope, &formerScope)
            guard let newKey else { return }
            key = newKey
            // Most objects are never asked for their identifiers.
            if isIdentified { formerIdentifier = known.removeValue(forKey: ObjectIdentifier(self)) }
            isIdentified = false
        }
        withExtendedLifetime((formerScope, formerIdentifier)) {}
    }

    /// Sets the object's permanent scope and key, under which it is already registered.
    func takeIdentity(_ permanent: ObjectScope, key newKey: Int64) {
        move(to: permanent, key: newKey)
        flags.remove(.temporary)
    }

    /// Moves the object to a scope without a context.
    func moveOut() { move(to: scope?.outside) }

    func unregister() {
        guard flags.contains(.registered), let registry else { return }
        flags.remove(.registered)
        let pointer = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        registry.unregister(pointer, table: binding.table, key: key)
    }

    /// The key of the object's row; for an object that was never saved, the key that the save in progress has assigned.
    var savedKey: Int64 { flags.contains(.temporary) ? working?.grantedKey ?? 0 : key }

    /// The store that the program assigned to an object that was never saved.
    var assignedStore: NSPersistentStore? { flags.contains(.temporary) ? working?.assignedStore : nil }

    /// Whether the object is marked as inserted, updated or deleted. Does not check the queue.
    @inline(__always) var isChanged: Bool { !flags.isDisjoint(with: .changed) }

    /// Whether the object counts as deleted. Does not check the queue.
    @inline(__always) var isMarkedDeleted: Bool { !flags.isDisjoint(with: [.deleted, .countsAsDeleted]) }

    /// Implements `hasChanges`.
    var hasUnsavedChanges: Bool { !checkedFlags("hasChanges").isDisjoint(with: .changed) }

    /// Implements `hasPersistentChangedValues`.
    var hasChangedStoredValues: Bool {
        if flags.contains(.guarded) { checkQueue("hasPersistentChangedValues") }
        guard let working else { return false }
        return (0..<layout.storedCount).contains { working.isChanged($0) && !isEqualToCommitted($0) }
            || working.toMany.contains { $0?.hasChanges == true }
    }

    /// Whether a stored property was set since the last fetch or save, even to an equal value.
    var hasAssignedProperties: Bool {
        guard let working else { return false }
        return (0..<layout.storedCount).contains(where: working.isChanged)
            || working.toMany.contains { $0?.hasChanges == true }
    }

    /// Whether the object was inserted since the last save.
    public var isInserted: Bool { checkedFlags().contains(.inserted) }

    /// Whether a saved object was changed since the last save.
    public var isUpdated: Bool { checkedFlags().contains(.updated) && flags.isDisjoint(with: [.inserted, .deleted]) }

    /// Whether the object was deleted since the last save; false again after the save.
    ///
    /// An object whose record turns out to be deleted also counts as deleted, unless the context's
    /// `shouldHandleInaccessibleFault` returns false.
    public var isDeleted: Bool { !checkedFlags().isDisjoint(with: [.deleted, .countsAsDeleted]) }

    /// Whether the object's values have not been read yet.
    public var isFault: Bool { checkedFlags().contains(.fault) }

    /// 0 for an object with values; another number while it is a fault.
    public var faultingState: Int { isFault ? 1 : 0 }

    /// Implements `hasFault(forRelationshipNamed:)`.
    func isFault(_ key: String) -> Bool {
        guard !isFault else { return true }
        switch layout.places[key] {
        case .toOne(let slot): return toOneIsFault(slot)
        case .toMany(let number): return toManyLinks(number)?.isLoaded != true && !flags.contains(.inserted)
        default: return false
        }
    }

    /// Implements `objectIDs(forRelationshipNamed:)`.
    func identifiers(_ key: String) -> [NSManagedObjectID] {
        if flags.contains(.guarded) { checkQueue("'\(key)'") }
        switch layout.places[key] {
        case .toOne(let slot): return relatedObject(slot).map { [$0.objectID] } ?? []
        case .toMany(let number):
            guard let links = toManyLinks(number), links.isLoaded || links.hasChanges else {
                return storedIdentifiers(number)
            }
            return relatedObjects(number).map(\.objectID)
        default: stop("'\(key)' of entity '\(entity.name ?? "")' is no relationship.")
        }
    }

    private func storedIdentifiers(_ number: Int) -> [NSManagedObjectID] {
        guard let context = registry?.context, context.dataSource.knows(self) else { return [] }
        do {
            return try context.dataSource.members(of: layout.toMany[number], owner: self).map {
                NSManagedObjectID(binding: $0.binding, key: $0.key, isTemporary: $0.binding.isTemporary)
            }
        } catch {
            context.report(error, for: self)
            return []
        }
    }

    private func toOneIsFault(_ slot: Int) -> Bool {
        if let working, working.isHeld(slot) {
            guard case .reference(let target as NSManagedObject) = working.value(slot) else { return false }
            return target.isFault
        }
        guard slot < layout.storedCount else { return false }
        guard let slab else { return true }
        return slab.tag(Int(rowIndex), slot) != RowTag.null
    }

    /// The error for using the object if it was deleted and saved or its context was reset; nil otherwise.
    var unusableReason: NSError? {
        if flags.contains(.invalidated) { return CoreDataError.invalidated(objectID) }
        return flags.contains(.left) ? CoreDataError.deleted(objectID) : nil
    }

    /// Class, address, entity, identifier and values; for a fault `<fault>` instead of values, without firing it.
    var descriptionText: String {
        let address = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
        let head = "<\(type(of: self)): 0x\(address)> (entity: \(entity.name ?? ""); id: \(objectID); data: "
        return head + (isFault ? "<fault>)" : "{\n\(valueLines)})")
    }

    private var valueLines: String {
        layout.places.keys.sorted().map { key in "    \(key) = \(printed(key));\n" }.joined()
    }

    private func printed(_ key: String) -> String {
        switch layout.places[key] {
        case .attribute(let slot):
            return attributeValue(slot).map(PrintedValue.text) ?? "nil"
        case .toOne(let slot):
            return relatedObject(slot).map { "\($0.objectID)" } ?? "nil"
        case .toMany(let number):
            guard toManyLinks(number)?.isLoaded == true || isInserted else {
                return "\"<relationship fault: \(ObjectIdentifier(self)) '\(key)'>\""
            }
            return "(\n" + relatedObjects(number).map { "        \($0.objectID)" }.joined(separator: ",\n") + "\n    )"
        default:
            return "\"<fetched property: '\(key)'>\""
        }
    }
}
