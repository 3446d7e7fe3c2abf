import CoreData
import CoreDataTransfer
import Synchronization

/// Pictures in a SQLite store, large ones as external data beside it; those that were not used for longest go first.
///
/// The store is the cache's own: its model has the entity `Picture` alone. Several processes may use it; each keeps to the limit by
/// what it knows. A picture whose data is missing or not whole counts as missing. That a picture was used is saved with later
/// changes, at the latest after ``savedUses`` uses, so that showing pictures does not write each time; ``save()`` saves it at once.
///
/// May be used from any thread.
public final class StoredPictureCache: PictureCache {
    /// After how many uses of pictures their order is saved.
    public static let savedUses = 100

    private struct State {
        var byteCount = 0
        /// The greatest number of a use so far.
        var use: Int64 = 0
        var unsavedUses = 0
    }

    /// The most bytes of all pictures together; one that is larger is not kept.
    public let byteLimit: Int
    private let context: NSManagedObjectContext
    /// Changed on the queue of the context alone.
    private let state = Mutex(State())

    /// Opens a store, which is made, with its folder, if it is missing.
    ///
    /// - Throws: An error of `NSCocoaErrorDomain` if the store cannot be opened, or an error of Foundation if the folder cannot be
    ///   made.
    public init(storeAt url: URL, byteLimit: Int = 256 << 20) throws {
        self.byteLimit = byteLimit
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        context.undoManager = nil
        try context.performAndWait { [self] in try readTotals() }
    }

    /// The bytes of all pictures together, as far as this process knows.
    public var byteCount: Int { state.withLock { $0.byteCount } }

    public func picture(for url: URL) async -> CachedPicture? {
        await context.perform { [self] in
            guard let object = try? object(url) else { return nil }
            guard let data = object.value(forKey: "data") as? Data, data.count == size(object),
                let freshUntil = object.value(forKey: "freshUntil") as? Date
            else {
                delete([object])
                return nil
            }
            noteUse(of: object)
            return CachedPicture(
                data: data, entityTag: object.value(forKey: "entityTag") as? String,
                lastModified: object.value(forKey: "lastModified") as? String, freshUntil: freshUntil)
        }
    }

    public func store(_ picture: CachedPicture, for url: URL) async {
        guard picture.data.count <= byteLimit else { return await remove(for: url) }
        await context.perform { [self] in
            let known = try? object(url)
            let before = known.map(size) ?? 0
            let object = known ?? NSEntityDescription.insertNewObject(forEntityName: "Picture", into: context)
            object.setValuesForKeys([
                "url": url.absoluteString, "data": picture.data, "size": picture.data.count,
                "freshUntil": picture.freshUntil, "use": nextUse(),
            ])
            object.setValue(picture.entityTag, forKey: "entityTag")
            object.setValue(picture.lastModified, forKey: "lastModified")
            guard saveAll() else { return }
            state.withLock { $0.byteCount += picture.data.count - before }
            shrink()
            context.reset()
        }
    }

    public func remove(for url: URL) async {
        await context.perform { [self] in
            if let object = try? object(url) { delete([object]) }
        }
    }

    /// Saves in which order pictures were used.
    public func save() async {
        await context.perform { [self] in _ = saveAll() }
    }

    // MARK: On the queue of the context

    private func readTotals() throws {
        let request = NSFetchRequest<NSDictionary>(entityName: "Picture")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["size", "use"].map { key in
            let total = NSExpressionDescription()
            total.name = key
            total.expression = NSExpression(
                forFunction: key == "size" ? "sum:" : "max:", arguments: [NSExpression(forKeyPath: key)])
            total.expressionResultType = .integer64AttributeType
            return total
        }
        let totals = try context.fetch(request).first
        state.withLock { state in
            state.byteCount = (totals?["size"] as? NSNumber)?.intValue ?? 0
            state.use = (totals?["use"] as? NSNumber)?.int64Value ?? 0
        }
    }

    private func object(_ url: URL) throws -> NSManagedObject? {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Picture")
        request.predicate = NSPredicate(format: "url == %@", url.absoluteString)
        request.fetchLimit = 1
        return try context.fetch(request).first
    }

    private func size(_ object: NSManagedObject) -> Int { object.value(forKey: "size") as? Int ?? 0 }

    private func nextUse() -> Int64 {
        state.withLock { state in
            state.use += 1
            return state.use
        }
    }

    private func noteUse(of object: NSManagedObject) {
        object.setValue(nextUse(), forKey: "use")
        let isDue = state.withLock { state in
            state.unsavedUses += 1
            return state.unsavedUses >= Self.savedUses
        }
        if isDue, saveAll() { context.reset() }
    }

    /// Saves what has changed; false, with the changes given up, if that is not possible.
    private func saveAll() -> Bool {
        state.withLock { $0.unsavedUses = 0 }
        guard (try? context.save()) == nil else { return true }
        context.rollback()
        return false
    }

    private func delete(_ objects: [NSManagedObject]) {
        let size = objects.reduce(0) { $0 + self.size($1) }
        for object in objects { context.delete(object) }
        if saveAll() { state.withLock { $0.byteCount -= size } }
    }

    /// Deletes the pictures that were not used for longest until the others keep to the limit.
    private func shrink() {
        while byteCount > byteLimit {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Picture")
            request.sortDescriptors = [NSSortDescriptor(key: "use", ascending: true)]
            request.fetchLimit = 50
            guard let oldest = try? context.fetch(request), !oldest.isEmpty else { return }
            var rest = byteCount
            let before = rest
            delete(
                Array(
                    oldest.prefix { object in
                        defer { rest -= size(object) }
                        return rest > byteLimit
                    }))
            // What cannot be deleted stays.
            guard byteCount < before else { return }
        }
    }

    private static let model: NSManagedObjectModel = {
        func attribute(
            _ name: String, _ type: NSAttributeType, isOptional: Bool = false
        ) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, isOptional)
            return attribute
        }
        let data = attribute("data", .binaryDataAttributeType)
        data.allowsExternalBinaryDataStorage = true
        let use = attribute("use", .integer64AttributeType)
        let entity = NSEntityDescription()
        entity.name = "Picture"
        entity.properties = [
            attribute("url", .stringAttributeType), data, attribute("size", .integer64AttributeType), use,
            attribute("entityTag", .stringAttributeType, isOptional: true),
            attribute("lastModified", .stringAttributeType, isOptional: true),
            attribute("freshUntil", .dateAttributeType),
        ]
        entity.uniquenessConstraints = [["url"]]
        entity.indexes = [
            NSFetchIndexDescription(
                name: "byUse", elements: [NSFetchIndexElementDescription(property: use, collationType: .binary)])
        ]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }()
}
