import CoreDataGraph
import Foundation

extension ModelContext {
    /// Returns the models that a descriptor describes.
    ///
    /// A model that the context has already and that has no unsaved changes takes the store's values, if another
    /// context or process has saved it since.
    /// - Throws: `SwiftDataError` that names what no store can answer, or an error of the store.
    public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
        try found(descriptor).compactMap { ($0 as? NSManagedObject)?.model(as: T.self) }
    }

    /// Returns the number of models that a descriptor describes.
    public func fetchCount<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
        try expectEntity(of: T.self)
        let request = try descriptor.makeRequest(container.coordinator)
        guard container.hasOwnStores else { return try records.count(for: request) }
        return try PassedDescriptor.$current.withValue(.init(descriptor: descriptor, request: request)) {
            try records.count(for: request)
        }
    }

    /// Returns the identifiers of the models that a descriptor describes.
    public func fetchIdentifiers<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>
    ) throws -> [PersistentIdentifier] {
        try expectEntity(of: T.self)
        let request = try descriptor.makeRequest(container.coordinator)
        request.resultType = .managedObjectIDResultType
        request.includesPendingChanges = false
        return try records.fetch(request).compactMap { ($0 as? NSManagedObjectID).map(PersistentIdentifier.init) }
    }

    /// Calls a block with each model that a descriptor describes, reading so many at a time.
    ///
    /// - Throws: `SwiftDataError`, an error of the store, or what the block throws.
    public func enumerate<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, batchSize: Int = 5_000, allowEscapingMutations: Bool = false,
        block: (T) throws -> Void
    ) throws {
        let found = try identifiers(descriptor)
        let size = max(batchSize, 1)
        for start in stride(from: 0, to: found.count, by: size) {
            for model in try read(found[start..<min(start + size, found.count)], as: T.self) {
                if let model { try block(model) }
            }
        }
    }

    /// Returns the models that a descriptor describes as a collection that reads so many at a time, when they are used.
    ///
    /// Which models there are, and their order, is that of the fetch. A model that was deleted since is still in the
    /// collection, and says `isDeleted`.
    public func fetch<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, batchSize: Int
    ) throws -> FetchResultsCollection<T> {
        FetchResultsCollection(ModelBatches(try identifiers(descriptor), batchSize: batchSize, self))
    }

    /// Returns the identifiers of the models that a descriptor describes as a collection.
    public func fetchIdentifiers<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, batchSize: Int
    ) throws -> FetchResultsCollection<PersistentIdentifier> {
        FetchResultsCollection(try fetchIdentifiers(descriptor))
    }

    private func identifiers<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [NSManagedObjectID] {
        try expectEntity(of: T.self)
        let request = try descriptor.makeRequest(container.coordinator)
        request.resultType = .managedObjectIDResultType
        return try records.fetch(request).compactMap { $0 as? NSManagedObjectID }
    }

    /// Reads models together; nil for one that is not there any more.
    func read<T: PersistentModel>(_ batch: ArraySlice<NSManagedObjectID>, as type: T.Type) throws -> [T?] {
        let reading = NSFetchRequest<NSFetchRequestResult>(entityName: ModelPlan.of(T.self).name)
        reading.predicate = NSPredicate(format: "SELF IN %@", Array(batch))
        reading.returnsObjectsAsFaults = false
        reading.renewsOlderObjects = true
        let objects = try records.fetch(reading)
        return withExtendedLifetime(objects) {
            batch.map { (records.registeredObject(for: $0) as? ModelRecord)?.presentModel() as? T }
        }
    }

    /// Returns the model with an identifier, which is read from the store when a property is used.
    ///
    /// Stops for the identifier of a model that was not inserted, or of another container.
    public func model(for identifier: PersistentIdentifier) -> any PersistentModel {
        guard let objectID = identifier.objectID(in: container.coordinator),
            let record = records.object(with: objectID) as? ModelRecord
        else { stop("The container has no store with the model \(identifier.entityName) of an identifier.") }
        return record.presentModel()
    }

    /// Returns the model with an identifier if the context has it already; nil otherwise.
    public func registeredModel<T: PersistentModel>(for identifier: PersistentIdentifier) -> T? {
        guard let objectID = identifier.objectID(in: container.coordinator) else { return nil }
        return (records.registeredObject(for: objectID) as? ModelRecord)?.presentModel() as? T
    }

    private func found<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [Any] {
        try expectEntity(of: T.self)
        let request = try descriptor.makeRequest(container.coordinator)
        guard container.hasOwnStores else { return try records.fetch(request) }
        return try PassedDescriptor.$current.withValue(.init(descriptor: descriptor, request: request)) {
            try records.fetch(request)
        }
    }

    func expectEntity<T: PersistentModel>(of type: T.Type) throws {
        saveIfDue()
        guard container.entity(of: ModelPlan.of(type)) != nil else {
            throw SwiftDataError.unknownSchema.stating(
                "The schema of the container has no model \(String(reflecting: type)).")
        }
    }
}
