import CoreDataStore

/// Serves a store class of the program as an object store: replaces queries for rows by requests for objects.
///
/// A fetch returns addresses only; values are read when a fault fires, as in Apple's framework. Used, like its store,
/// by one thread at a time.
final class IncrementalRecords: ObjectStore {
    unowned let store: any RecordServing
    let model: ModelLayout
    let references: ReferenceKeys
    let registrations: StoreRegistrations
    var known: KnownRecords
    private var origins: [RequestOrigin] = []
    /// Whether some node has had members of a to-many relationship, so that a node is read before `newValue` is called.
    private var nodesHaveMembers = false
    /// Whether the store class makes no dictionaries, as an earlier request showed.
    var makesNoDictionaries = false
    /// The context for requests that come without a context.
    private lazy var spareContext: NSManagedObjectContext = {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = store.persistentStoreCoordinator
        return context
    }()

    init(store: any RecordServing, model: ModelLayout) {
        self.store = store
        self.model = model
        references = ReferenceKeys.of(storeIdentifier: store.identifier)
        store.referenceKeys = references
        let reference = store.zeroingReference
        registrations = StoreRegistrations { reference.object?.notifyRegistrations() }
        known = KnownRecords(registrations)
        store.registrations = registrations
    }

    var origin: RequestOrigin? { origins.last }

    /// Runs a block with the context to pass to the store class: that of the request, or the spare one.
    func asking<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        if let origin { return try body(origin.context) }
        let context = spareContext
        return try context.performAndWait { try body(context) }
    }

    func checkKept(_ binding: EntityBinding) throws {
        let entity = binding.layout.entity
        guard store.keeps(entity, of: model.model) else {
            throw CoreDataError.make(
                NSCoreDataError, "The store does not keep entity '\(entity.name ?? "")'.",
                hint: "Its configuration leaves the entity out.")
        }
    }

    /// The identifier of a record, with the record's own entity if that is known.
    func identifier(_ binding: EntityBinding, _ key: Int64) -> NSManagedObjectID {
        NSManagedObjectID(
            binding: known[binding, key]?.binding ?? binding, key: key, isTemporary: false, mayNameAncestor: true)
    }
}

extension IncrementalRecords: ObjectServing {
    func serving<Result>(_ origin: RequestOrigin, _ body: () throws -> Result) rethrows -> Result {
        origins.append(origin)
        defer {
            origins.removeLast()
            if origins.isEmpty { notifyRegistrations() }
        }
        return try body()
    }

    /// Notifies the store class of objects that contexts registered and unregistered, unless it is executing a request.
    func notifyRegistrations() {
        guard origins.isEmpty else { return }
        for news in registrations.takeIdentifiers() {
            if news.isComing {
                store.managedObjectContextDidRegisterObjects(with: news.identifiers)
            } else {
                store.managedObjectContextDidUnregisterObjects(with: news.identifiers)
            }
        }
    }

    func execute(_ request: NSPersistentStoreRequest, for origin: RequestOrigin) throws -> Any {
        try serving(origin) { try store.execute(request, with: origin.context) }
    }

    func keys(of objects: [NSManagedObject], for origin: RequestOrigin) throws -> [Int64] {
        let identifiers = try serving(origin) { try store.obtainPermanentIDs(for: objects) }
        guard identifiers.count == objects.count else {
            throw StoreMistake.make(
                store, "gave \(identifiers.count) permanent identifiers for \(objects.count) objects",
                hint: "obtainPermanentIDs(for:) must return one for each object, in their order.")
        }
        var taken: Set<RowKey> = []
        for (object, identifier) in zip(objects, identifiers) {
            try check(identifier, in: "as a permanent identifier", of: object.entity)
            let binding = store.binding(for: object.layout)
            let isFree =
                taken.insert(RowKey(table: binding.table, key: identifier.key)).inserted
                && origin.context.registry.object(table: binding.table, key: identifier.key) == nil
            guard isFree, identifier.entity.name == object.entity.name else {
                throw StoreMistake.make(
                    store,
                    "gave a new object of entity '\(object.entity.name ?? "")' the identifier of another object",
                    hint: "Give each new object a reference object of its own within its hierarchy, of its own entity.")
            }
            known.note(binding, key: identifier.key)
        }
        return identifiers.map(\.key)
    }

    /// Checks that an identifier from the store class may be that of a record of an entity.
    ///
    /// - Throws: `NSPersistentStoreOperationError` that names the mistake.
    func check(_ identifier: NSManagedObjectID, in place: String, of entity: NSEntityDescription) throws {
        guard !identifier.isTemporaryID, identifier.binding.store === store,
            let found = model.layout(of: identifier.entity)?.entity, let wanted = model.layout(of: entity)?.entity,
            found.isKindOf(entity: wanted) || wanted.isKindOf(entity: found)
        else { throw StoreMistake.identifier(identifier, in: place, of: store, wanted: entity) }
    }
}

extension IncrementalRecords: RowFaulting {
    func rows(of binding: EntityBinding, keys: [Int64]) throws -> [RowRun] {
        try checkKept(binding)
        var packer = NodePacker(self)
        return try asking { context in
            for key in keys {
                guard let node = try node(identifier(binding, key), in: context) else { continue }
                let row = try packer.pack(node, key: key, in: context)
                known.note(node, version: row.version, row.slab.binding, key: key)
                nodesHaveMembers = nodesHaveMembers || packer.hasMembers
            }
            return packer.runs
        }
    }

    /// The store class's node of a record; nil if the record no longer exists.
    func node(
        _ identifier: NSManagedObjectID, in context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode? {
        do {
            let node = try store.newValuesForObject(with: identifier, with: context)
            guard node.objectID.key == identifier.key, node.objectID.binding.table == identifier.binding.table else {
                throw StoreMistake.make(
                    store, "gave the values of another record of entity '\(node.objectID.entity.name ?? "")'",
                    hint: "newValuesForObject(with:with:) must return a node with the identifier that it was given.")
            }
            return node
        } catch let error as NSError
            where error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectReferentialIntegrityError
        {
            return nil
        }
    }

    func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, key: Int64
    ) throws -> AddressList {
        var list = AddressList()
        for identifier in try asking({ try members(of: relationship, owner, key, in: $0) }) {
            let binding = known[identifier.binding, identifier.key]?.binding ?? identifier.binding
            known.note(binding, key: identifier.key)
            list.append(identifier.key, of: binding)
        }
        return list
    }

    private func members(
        of relationship: NSRelationshipDescription, _ owner: EntityBinding, _ key: Int64,
        in context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID] {
        let identifier = identifier(owner, key)
        var node = known[owner, key]?.node
        if node == nil, nodesHaveMembers { node = try self.node(identifier, in: context) }
        let answer =
            try node?.value(for: relationship)
            ?? store.newValue(forRelationship: relationship, forObjectWith: identifier, with: context)
        guard let entity = relationship.destinationEntity else { return [] }
        guard let list = Self.list(answer) else { throw wrongMembers(answer, relationship) }
        return try list.map { element in
            guard let identifier = (element as? NSManagedObject)?.objectID ?? element as? NSManagedObjectID else {
                throw wrongMembers(element, relationship)
            }
            try check(identifier, in: "as a member of '\(relationship.name)'", of: entity)
            return identifier
        }
    }

    private func wrongMembers(_ answer: Any, _ relationship: NSRelationshipDescription) -> NSError {
        StoreMistake.answer(
            to: "the question for the members of '\(relationship.name)'", answer, of: store,
            wanted: "an array or a set of NSManagedObjectID, empty where there are none")
    }

    func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, keys: [Int64]
    ) throws -> MemberRows {
        var found = MemberRows()
        var groups: [Int: (binding: EntityBinding, keys: [Int64])] = [:]
        var seen: Set<Int64> = []
        for key in keys {
            for member in try members(of: relationship, owner: owner, key: key) {
                found.pairs.append((key, member.key))
                guard seen.insert(member.key).inserted else { continue }
                groups[member.binding.layout.number, default: (member.binding, [])].keys.append(member.key)
            }
        }
        for (binding, keys) in groups.values { found.rows += try rows(of: binding, keys: keys) }
        return found
    }

    /// The elements of an array or set of any class; nil for any other value.
    static func list(_ answer: Any) -> [Any]? {
        switch answer {
        case let list as [Any]: list
        case let list as NSArray: list.map { $0 }
        case let set as NSOrderedSet: set.map { $0 }
        case let set as NSSet: set.allObjects
        case let set as Set<AnyHashable>: set.map(\.base)
        default: nil
        }
    }
}

extension NSPersistentStore {
    /// Notifies a store class of registered and unregistered objects; if a thread is using the store, that one does it
    /// later.
    fileprivate func notifyRegistrations() {
        let notified: Void? = serializedIfFree { objectServing?.notifyRegistrations() }
        withExtendedLifetime(notified) {}
    }
}
