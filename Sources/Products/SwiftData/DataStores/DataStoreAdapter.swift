import CoreDataGraph
import Foundation
import Synchronization

/// A store of one's own as the graph sees it: a store that is read and written record by record.
///
/// An inserted record has a provisional identifier that the graph keeps, while the program sees the one that the store
/// has given it: `names` has both.
final class DataStoreAdapter: NSIncrementalStore, RecordNaming, EditingStateFollowing, @unchecked Sendable {
    static let storeType = "SwiftDataStore"
    /// The option with the store, in an `Opened`.
    static let option = "SwiftDataStore.store"

    struct Opened: @unchecked Sendable {
        let store: any DataStoreAccess
    }

    private struct Names: Sendable {
        var identifiers: [NSManagedObjectID: PersistentIdentifier] = [:]
        var records: [PersistentIdentifier: NSManagedObjectID] = [:]
    }

    /// Used by the coordinator's calls alone, which come from one thread at a time.
    private var snapshots: [NSManagedObjectID: (snapshot: DefaultSnapshot, version: UInt64)] = [:]
    private var states: Set<UUID> = []
    /// The records that have an identifier and were not saved yet.
    private var provisional: Set<NSManagedObjectID> = []
    private let names = Mutex(Names())

    private static let registration: Void = NSPersistentStoreCoordinator.registerStoreClass(
        DataStoreAdapter.self, forStoreType: storeType)
    static func register() { _ = registration }

    /// The URL by which a coordinator distinguishes its stores: no file is there.
    static func place(of opened: Opened) -> URL { URL(filePath: "/dev/null").appending(path: opened.store.identifier) }

    override var type: String { Self.storeType }
    override var capabilities: Capabilities { [.durable, .exactDecimals, .exactReals, .namesRecords] }

    private var store: any DataStoreAccess {
        guard let opened = options?[Self.option] as? Opened else { stop("The store was opened without its option.") }
        return opened.store
    }

    override func loadMetadata() throws {
        let model = persistentStoreCoordinator?.managedObjectModel
        let own = Set(model?.entities(forConfigurationName: configurationName)?.compactMap(\.name) ?? [])
        metadata = [
            NSStoreTypeKey: Self.storeType, NSStoreUUIDKey: store.identifier,
            NSStoreModelVersionHashesKey: model?.entityVersionHashesByName.filter { own.contains($0.key) } ?? [:],
        ]
    }

    // MARK: Identifiers

    func identifier(of record: NSManagedObjectID) -> PersistentIdentifier? {
        names.withLock { $0.identifiers[record] }
    }

    func record(with identifier: PersistentIdentifier) -> NSManagedObjectID? {
        names.withLock { $0.records[identifier] }
    }

    private func objectID(_ identifier: PersistentIdentifier) -> NSManagedObjectID? {
        persistentStoreCoordinator.flatMap { identifier.objectID(in: $0) }
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { object in
            let identifier = newObjectID(for: object.entity, referenceObject: "new-\(UUID().uuidString)")
            provisional.insert(identifier)
            return identifier
        }
    }

    // MARK: Requests

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        switch request {
        case let save as NSSaveChangesRequest:
            try write(save, context)
            return []
        case let fetch as NSFetchRequest<NSFetchRequestResult> where fetch.resultType != .dictionaryResultType:
            let found = try find(fetch, context)
            return fetch.resultType == .countResultType ? [NSNumber(value: found.count)] : found
        default: throw CocoaError(CocoaError.Code(rawValue: NSPersistentStoreUnsupportedRequestTypeError))
        }
    }

    private func state(of context: NSManagedObjectContext?) -> EditingState {
        let state = context?.modelContext?.editingState ?? EditingState(id: .init(), author: context?.transactionAuthor)
        if states.insert(state.id).inserted { store.initializeState(for: state) }
        return state
    }

    func end(_ state: EditingState) { if states.remove(state.id) != nil { store.invalidateState(for: state) } }

    private func find(
        _ fetch: NSFetchRequest<NSFetchRequestResult>, _ context: NSManagedObjectContext?
    ) throws -> [NSManagedObjectID] {
        guard let entity = fetch.entity, let type = Self.model(of: entity) else { return [] }
        let passed = PassedDescriptor.current.flatMap { $0.describes(fetch) ? $0.descriptor : nil }
        let (found, isOfDescriptor) = try find(type, passed, state(of: context))
        let identifiers = register(found.fetched).filter {
            $0.entity === entity || fetch.includesSubentities && $0.entity.isKindOf(entity: entity)
        }
        _ = register(found.related)
        if isOfDescriptor, !found.isUnfiltered { return identifiers }
        return try selected(identifiers, fetch)
    }

    /// Fetches by the descriptor that was passed, if it is one of the class; all models of the class otherwise.
    private func find<T: PersistentModel>(
        _ type: T.Type, _ passed: Any?, _ state: EditingState
    ) throws -> (FoundSnapshots, isOfDescriptor: Bool) {
        let descriptor = passed as? FetchDescriptor<T>
        return (try store.fetch(descriptor ?? FetchDescriptor<T>(), state), descriptor != nil)
    }

    /// What a request selects of records, looked at by a context that knows no unsaved changes.
    private func selected(
        _ identifiers: [NSManagedObjectID], _ fetch: NSFetchRequest<NSFetchRequestResult>
    ) throws -> [NSManagedObjectID] {
        var found = identifiers
        if fetch.predicate != nil || fetch.sortDescriptors?.isEmpty == false {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = persistentStoreCoordinator
            found = context.performAndWait {
                let objects = identifiers.map { context.object(with: $0) }
                let matching = objects.filter { fetch.predicate?.evaluate(with: $0) ?? true }
                return matching.sorted(using: fetch.sortDescriptors ?? []).map(\.objectID)
            }
        }
        let rest = found.dropFirst(max(0, fetch.fetchOffset))
        return Array(fetch.fetchLimit > 0 ? rest.prefix(fetch.fetchLimit) : rest)
    }

    private static func model(of entity: NSEntityDescription) -> (any PersistentModel.Type)? {
        (entity.objectType as? ModelRecord.Type)?.plan.type
    }

    // MARK: Snapshots

    /// Keeps snapshots for faults; returns the identifiers of their records.
    private func register(_ found: [DefaultSnapshot]) -> [NSManagedObjectID] {
        found.compactMap { snapshot in
            guard let identifier = objectID(snapshot.persistentIdentifier) else { return nil }
            let former = snapshots[identifier]
            let isSame = former?.snapshot.values == snapshot.values
            snapshots[identifier] = (snapshot, isSame ? former?.version ?? 1 : (former?.version ?? 0) + 1)
            return identifier
        }
    }

    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        guard !provisional.contains(objectID) else {
            return NSIncrementalStoreNode(objectID: objectID, withValues: [:], version: 0)
        }
        if snapshots[objectID] == nil { try read(objectID, context) }
        guard let known = snapshots[objectID], let type = Self.model(of: objectID.entity) else {
            throw CocoaError(CocoaError.Code(rawValue: NSManagedObjectReferentialIntegrityError))
        }
        var values: [String: Any] = [:]
        for property in ModelPlan.of(type).properties {
            values[property.name] = property.storedValue(known.snapshot.values[property.name] ?? .none) {
                self.objectID($0)
            }
        }
        return NSIncrementalStoreNode(objectID: objectID, withValues: values, version: known.version)
    }

    private func read(_ objectID: NSManagedObjectID, _ context: NSManagedObjectContext) throws {
        let state = state(of: context)
        guard try register(store.cached([PersistentIdentifier(objectID)], state)).isEmpty else { return }
        guard let type = Self.model(of: objectID.entity) else { return }
        _ = try register(find(type, nil, state).0.fetched)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        guard let context, !provisional.contains(objectID) else {
            return relationship.isToMany ? [NSManagedObjectID]() : NSNull()
        }
        let node = try newValuesForObject(with: objectID, with: context)
        return node.value(for: relationship) ?? (relationship.isToMany ? [NSManagedObjectID]() : NSNull())
    }

    override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
        for identifier in objectIDs { snapshots[identifier] = nil }
    }

    // MARK: Saving

    private func write(_ save: NSSaveChangesRequest, _ context: NSManagedObjectContext?) throws {
        func records(_ objects: Set<NSManagedObject>?) -> [ModelRecord] {
            (objects ?? []).compactMap { $0 as? ModelRecord }.sorted { $0.key < $1.key }
        }
        let changes = ChangedRecords(
            inserted: records(save.insertedObjects), updated: records(save.updatedObjects),
            deleted: records(save.deletedObjects))
        guard !(changes.inserted.isEmpty && changes.updated.isEmpty && changes.deleted.isEmpty) else { return }
        let inserted = Dictionary(
            uniqueKeysWithValues: changes.inserted.map { (PersistentIdentifier($0.objectID), $0.objectID) })
        let saved = try store.save(changes, state(of: context))
        provisional.subtract(inserted.values)
        names.withLock { names in
            for (former, given) in saved.remapped {
                guard let record = inserted[former] else { continue }
                names.identifiers[record] = given
                names.records[given] = record
            }
        }
        for record in changes.deleted { snapshots[record.objectID] = nil }
        _ = register(saved.present)
    }
}
