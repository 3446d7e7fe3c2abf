import CoreData

/// The reference store with a record of what it is asked, and with mistakes on demand.
final class RecordingStore: DictionaryStore, @unchecked Sendable {
    enum Mistake {
        case text(String)
        case null, texts, temporary, otherEntity, otherStore
    }

    enum Names { case proper, none, same, temporary }

    override class var kindName: String { "Recording" }

    var log: [String] = []
    var registered: [NSManagedObjectID: Int] = [:]
    var failure: (any Error)?
    var readingFailure: (any Error)?
    var mistake: Mistake?
    var foreign: NSManagedObjectID?
    var names = Names.proper
    /// Values that nodes have in the place of the stored ones.
    var writesItself: [String: Any] = [:]
    /// Whether a save of a version that was not handed out last is refused.
    var refusesVersions = false
    /// What a batch update is answered with; nil where it is not known.
    var batchAnswer: Any?
    private var given: [NSManagedObjectID: UInt64] = [:]

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        if let save = request as? NSSaveChangesRequest {
            if let failure { throw failure }
            guard let inserted = save.insertedObjects else {
                log.append("save inserted nil")
                return [Any]()
            }
            let (updated, deleted) = (save.updatedObjects ?? [], save.deletedObjects ?? [])
            let (locked, unnamed) = (save.lockedObjects ?? [], inserted.filter { $0.objectID.isTemporaryID })
            log.append(
                "save inserted \(inserted.count - unnamed.count) updated \(updated.count) deleted \(deleted.count) "
                    + "locked \(locked.count)")
            try refuseOthers(updated.union(deleted))
        } else if let fetch = request as? NSFetchRequest<any NSFetchRequestResult>,
            fetch.resultType != .dictionaryResultType
        {
            let kinds: [UInt: String] = [
                NSFetchRequestResultType.managedObjectResultType.rawValue: "objects",
                NSFetchRequestResultType.managedObjectIDResultType.rawValue: "identifiers",
                NSFetchRequestResultType.countResultType.rawValue: "count",
            ]
            log.append(
                "fetch \(fetch.entityName ?? "") \(fetch.predicate?.formatString ?? "all") limit \(fetch.fetchLimit) "
                    + "offset \(fetch.fetchOffset) \(kinds[fetch.resultType.rawValue] ?? "?")")
            if let mistake { return try wrongAnswer(mistake, context) }
        }
        if let batch = request as? NSBatchUpdateRequest, let batchAnswer {
            log.append("batch \(batch.entityName)")
            return batchAnswer
        }
        return try super.execute(request, with: context)
    }

    private func wrongAnswer(_ mistake: Mistake, _ context: NSManagedObjectContext?) throws -> Any {
        let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName ?? [:]
        switch mistake {
        case .text(let text): return text
        case .null: return NSNull()
        case .texts: return ["a"]
        case .temporary:
            guard let hero = entities["Hero"] else { return [] }
            return [NSManagedObject(entity: hero, insertInto: nil)]
        case .otherEntity:
            guard let team = entities["Team"] else { return [] }
            return [newObjectID(for: team, referenceObject: 1)]
        case .otherStore: return [foreign].compactMap { $0 }
        }
    }

    /// Refuses objects whose records were changed since they were handed out.
    private func refuseOthers(_ objects: Set<NSManagedObject>) throws {
        guard refusesVersions else { return }
        let conflicts = objects.compactMap { object -> NSMergeConflict? in
            let reference = referenceObject(for: object.objectID) as? String ?? ""
            let version = book.records["Hero"]?[reference]?.version ?? 0
            guard let known = given[object.objectID], known != version else { return nil }
            return NSMergeConflict(
                source: object, newVersion: Int(version), oldVersion: Int(known), cachedSnapshot: nil,
                persistedSnapshot: nil)
        }
        guard !conflicts.isEmpty else { return }
        throw NSError(
            domain: NSCocoaErrorDomain, code: NSPersistentStoreSaveConflictsError,
            userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts])
    }

    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        if let readingFailure { throw readingFailure }
        let node = try super.newValuesForObject(with: objectID, with: context)
        given[objectID] = node.version
        guard !writesItself.isEmpty else { return node }
        var values: [String: Any] = [:]
        for property in objectID.entity.properties { values[property.name] = node.value(for: property) }
        node.update(withValues: values.merging(writesItself) { $1 }, version: node.version)
        return node
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        log.append("names \(array.count)")
        let proper = try super.obtainPermanentIDs(for: array)
        switch names {
        case .proper: return proper
        case .none: return []
        case .same: return proper.map { _ in proper[0] }
        case .temporary: return array.map(\.objectID)
        }
    }

    override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
        for identifier in objectIDs { registered[identifier, default: 0] += 1 }
    }

    override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
        for identifier in objectIDs {
            let count = registered[identifier, default: 0] - 1
            registered[identifier] = count == 0 ? nil : count
        }
    }
}
