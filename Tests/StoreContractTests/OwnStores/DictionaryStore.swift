import CoreData
import StoreContract

/// A reference incremental store: records in a dictionary, found by evaluating the predicate on each of them.
class DictionaryStore: NSIncrementalStore, @unchecked Sendable {
    var book = RecordBook()
    class var kindName: String { "Dictionary" }

    override var capabilities: Capabilities { [.exactDecimals, .exactReals, .namesRecords] }

    /// Registers the store and gives its kind.
    static func kind(_ capabilities: NSPersistentStore.Capabilities) -> StoreKind {
        NSPersistentStoreCoordinator.registerStoreClass(Self.self, forStoreType: kindName)
        return StoreKind(type: kindName, capabilities: capabilities)
    }

    override func loadMetadata() throws {
        let identifier = Self.identifierForNewStore(at: url ?? URL(fileURLWithPath: "/"))
        metadata = [NSStoreUUIDKey: identifier, NSStoreTypeKey: Self.kindName]
    }

    /// Makes what was saved last.
    func persist() throws {}

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        if let save = request as? NSSaveChangesRequest { return try write(save) }
        guard let fetch = request as? UntypedFetchRequest else {
            throw CocoaError(CocoaError.Code(rawValue: NSPersistentStoreUnsupportedRequestTypeError))
        }
        // The library makes dictionaries of what the predicate selects.
        guard fetch.resultType != .dictionaryResultType else {
            throw CocoaError(CocoaError.Code(rawValue: NSPersistentStoreUnsupportedRequestTypeError))
        }
        let found = try find(fetch)
        switch fetch.resultType {
        case .countResultType: return [NSNumber(value: found.count)]
        case .managedObjectResultType: return found.compactMap { context?.object(with: $0) }
        default: return found
        }
    }

    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        guard let record = record(objectID) else {
            throw CocoaError(CocoaError.Code(rawValue: NSManagedObjectReferentialIntegrityError))
        }
        let entity = entity(named: record.entity) ?? objectID.entity
        var values = record.attributes
        for relationship in entity.relationshipsByName.values where !relationship.isToMany {
            values[relationship.name] = identifier(record.toOne[relationship.name], relationship) ?? NSNull()
        }
        return NSIncrementalStoreNode(
            objectID: newObjectID(for: entity, referenceObject: referenceObject(for: objectID)), withValues: values,
            version: record.version)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        guard let record = record(objectID) else { return [NSManagedObjectID]() }
        guard relationship.isToMany else {
            return identifier(record.toOne[relationship.name], relationship) ?? NSNull()
        }
        let references = (record.toMany[relationship.name] ?? []).filter {
            book.records[root(relationship.destinationEntity ?? objectID.entity)]?[$0] != nil
        }
        return references.compactMap { identifier($0, relationship) }
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { object in
            if !object.objectID.isTemporaryID { return object.objectID }
            return newObjectID(for: object.entity, referenceObject: book.nextReference(object.entity.name ?? ""))
        }
    }

    // MARK: Records

    private func entity(named name: String) -> NSEntityDescription? {
        persistentStoreCoordinator?.managedObjectModel.entitiesByName[name]
    }

    private func reference(_ identifier: NSManagedObjectID) -> String {
        referenceObject(for: identifier) as? String ?? ""
    }

    private func root(_ entity: NSEntityDescription) -> String {
        var entity = entity
        while let parent = entity.superentity { entity = parent }
        return entity.name ?? ""
    }

    private func record(_ identifier: NSManagedObjectID) -> RecordBook.Record? {
        book.records[root(identifier.entity)]?[reference(identifier)]
    }

    /// The identifier of a record that a relationship leads to, though it may be gone.
    private func identifier(_ reference: String?, _ relationship: NSRelationshipDescription) -> NSManagedObjectID? {
        guard let reference, let destination = relationship.destinationEntity else { return nil }
        let target = book.records[root(destination)]?[reference]
        return newObjectID(for: target.flatMap { entity(named: $0.entity) } ?? destination, referenceObject: reference)
    }

    /// What a fetch finds, read by a context of the store's own, which knows no unsaved changes.
    func find(_ fetch: UntypedFetchRequest) throws -> [NSManagedObjectID] {
        guard let wanted = fetch.entity, let coordinator = persistentStoreCoordinator else { return [] }
        let all = (book.records[root(wanted)] ?? [:]).sorted {
            $0.key.utf8.count == $1.key.utf8.count
                ? $0.key < $1.key : $0.key.utf8.count < $1.key.utf8.count
        }
        let identifiers = all.compactMap { reference, record -> NSManagedObjectID? in
            guard let own = entity(named: record.entity),
                fetch.includesSubentities ? own.isKindOf(entity: wanted) : own.name == wanted.name
            else { return nil }
            return newObjectID(for: own, referenceObject: reference)
        }
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let found = context.performAndWait {
            let objects = identifiers.map { context.object(with: $0) }
            let matching = objects.filter { fetch.predicate?.evaluate(with: $0) ?? true }
            let sorted = NSArray(array: matching).sortedArray(using: fetch.sortDescriptors ?? [])
            return sorted.compactMap { ($0 as? NSManagedObject)?.objectID }
        }
        let start = min(fetch.fetchOffset, found.count)
        return Array(fetch.fetchLimit > 0 ? found[start...].prefix(fetch.fetchLimit) : found[start...])
    }

    // MARK: Saving

    private func write(_ save: NSSaveChangesRequest) throws -> Any {
        // Everything is read before anything is changed: reading an object may ask this store.
        var written: [(root: String, reference: String, record: RecordBook.Record)] = []
        for object in (save.insertedObjects ?? []).union(save.updatedObjects ?? []) {
            written.append((root(object.entity), reference(object.objectID), made(of: object)))
        }
        let former = book
        for (root, reference, record) in written {
            release(membersOf: record, root, reference)
            book.records[root, default: [:]][reference] = record
        }
        for object in save.deletedObjects ?? [] {
            book.records[root(object.entity)]?[reference(object.objectID)] = nil
        }
        book.metadata = metadata
        do {
            try persist()
        } catch {
            book = former
            throw error
        }
        return [Any]()
    }

    /// Takes members that come to a record out of the others: without an inverse a member has one owner.
    private func release(membersOf record: RecordBook.Record, _ root: String, _ reference: String) {
        let former = book.records[root]?[reference]
        for (name, members) in record.toMany {
            guard entity(named: record.entity)?.relationshipsByName[name]?.inverseRelationship == nil else { continue }
            let coming = Set(members).subtracting(former?.toMany[name] ?? [])
            for other in (book.records[root] ?? [:]).keys where other != reference {
                book.records[root]?[other]?.toMany[name]?.removeAll(where: coming.contains)
            }
        }
    }

    private func made(of object: NSManagedObject) -> RecordBook.Record {
        var record = RecordBook.Record(
            entity: object.entity.name ?? "", version: (self.record(object.objectID)?.version ?? 0) + 1)
        for attribute in object.entity.attributesByName.values where !attribute.isTransient {
            record.attributes[attribute.name] = object.primitiveValue(forKey: attribute.name)
        }
        for relationship in object.entity.relationshipsByName.values where !relationship.isTransient {
            let name = relationship.name
            switch object.value(forKey: name) {
            case let target as NSManagedObject: record.toOne[name] = reference(ofObject: target)
            case let members as NSOrderedSet: record.toMany[name] = members.array.compactMap(reference(ofObject:))
            case let members as NSSet: record.toMany[name] = members.allObjects.compactMap(reference(ofObject:))
            default: continue
            }
        }
        return record
    }

    private func reference(ofObject object: Any) -> String? {
        // One that was taken back before it was saved has no name.
        guard let object = object as? NSManagedObject, !object.objectID.isTemporaryID else { return nil }
        return reference(object.objectID)
    }
}

/// The reference store with its records in one JSON file.
final class JSONFileStore: DictionaryStore, @unchecked Sendable {
    override class var kindName: String { "JSONFile" }

    override var capabilities: Capabilities { [.durable, .exactDecimals, .exactReals, .namesRecords] }

    override func loadMetadata() throws {
        guard let url, let model = persistentStoreCoordinator?.managedObjectModel else { return }
        if FileManager.default.fileExists(atPath: url.path) {
            let data = try Data(contentsOf: url)
            metadata = try BookCoding.metadata(data)
            // Another model may not know what the values are: it is refused by the metadata.
            book = (try? BookCoding(model: model).book(data)) ?? RecordBook()
        } else {
            let kept = Set((model.entities(forConfigurationName: configurationName) ?? model.entities).map(\.name))
            book.metadata = [
                NSStoreUUIDKey: Self.identifierForNewStore(at: url), NSStoreTypeKey: Self.kindName,
                NSStoreModelVersionHashesKey: model.entityVersionHashesByName.filter { kept.contains($0.key) },
            ]
            metadata = book.metadata
            try persist()
        }
    }

    override func persist() throws {
        guard let url, let model = persistentStoreCoordinator?.managedObjectModel else { return }
        try BookCoding(model: model).data(book).write(to: url, options: .atomic)
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try BookCoding.metadata(try Data(contentsOf: url))
    }
}
