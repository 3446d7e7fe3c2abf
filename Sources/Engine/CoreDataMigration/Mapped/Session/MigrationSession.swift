import CoreDataGraph

/// The two stores and the associations of a migration: opens the stores, saves new objects, and fetches objects by
/// their associations.
///
/// States: created; open, between `open()` and `close()`; closed. Objects are retained for one batch only.
final class MigrationSession {
    let steps: [EntityStep]
    let source: MigrationStack
    let destination: MigrationStack
    var associations: Associations
    private let from: StorePlace
    private let to: StorePlace
    private let temporary: TemporaryStore?
    private let stepsByMapping: [ObjectIdentifier: EntityStep]

    /// - Throws: `NSMigrationManagerDestinationStoreError` if the destination is the source, if something exists at its
    ///   URL, or if its store type is unknown.
    init(
        _ steps: [EntityStep], sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel,
        configuration: String?, from: StorePlace, to: StorePlace
    ) throws {
        self.steps = steps
        self.from = from
        self.to = to
        stepsByMapping = Dictionary(
            steps.map { (ObjectIdentifier($0.mapping), $0) }, uniquingKeysWith: { first, _ in first })
        associations = Associations(stepCount: steps.count)
        temporary = try Self.temporary(from, to)
        let forms = StoredForms(steps, source: sourceModel, destination: destinationModel)
        source = MigrationStack(sourceModel, configuration, keepsStoredForm: forms.keeps)
        destination = MigrationStack(destinationModel, configuration, keepsStoredForm: forms.keeps)
    }

    private static func temporary(_ from: StorePlace, _ to: StorePlace) throws -> TemporaryStore? {
        let refusal = { (reason: String, underlying: (any Error)?) in
            CoreDataError.make(
                NSMigrationManagerDestinationStoreError,
                "The store cannot be migrated to '\(to.url.path)': \(reason).", reason: reason,
                hint: "Choose another place for the migrated store.", underlying: underlying,
                userInfo: [NSFilePathErrorKey: to.url.path])
        }
        guard !to.isMemory else { return nil }
        if to.isOnServer {
            let storeClass = NSPersistentStoreCoordinator.registeredStoreTypes[to.type]
            guard from.url != to.url else { throw refusal("it is the source itself", nil) }
            guard (try? storeClass?.metadataForPersistentStore(with: to.url)) == nil else {
                throw refusal("there is a store already", nil)
            }
            return nil
        }
        let paths = [from.url, to.url].map { $0.standardizedFileURL.resolvingSymlinksInPath().path }
        guard paths[0] != paths[1] else { throw refusal("it is the source itself", nil) }
        do {
            let temporary = try TemporaryStore(for: to.url, type: to.type)
            guard !temporary.isPlaceTaken else { throw refusal("there is something already", nil) }
            return temporary
        } catch let error as NSError where error.code == NSPersistentStoreInvalidTypeError {
            throw refusal("the kind of store is not known", error)
        }
    }

    /// The name of the source store in errors.
    var sourcePlace: String { from.url.isFileURL ? from.url.path : from.url.withoutPasswords.absoluteString }

    func step(of mapping: NSEntityMapping) -> EntityStep? { stepsByMapping[ObjectIdentifier(mapping)] }

    /// Moves the destination store from its temporary URL to its final one. A store in memory stays open; a store on a
    /// server was made in place and is closed.
    func publish() throws {
        try destination.setMetadata(source.metadata)
        source.close()
        guard let temporary else {
            if to.isOnServer { destination.close() }
            return
        }
        do {
            try destination.finishDeferredWriting()
            destination.close()
            try temporary.publish()
        } catch {
            throw failure(
                NSMigrationManagerDestinationStoreError,
                description: "The migrated store cannot be put to '\(to.url.path)'.", place: to,
                underlying: error)
        }
    }

    // MARK: Stores

    func open() throws {
        var options = from.plainOptions
        options[NSReadOnlyPersistentStoreOption] = true
        guard from.type != NSInMemoryStoreType else {
            throw failure(
                NSMigrationManagerSourceStoreError,
                description: "A store in memory of another coordinator cannot be read.", place: from,
                underlying: nil)
        }
        do {
            // Opening would create a missing file.
            guard from.isMemory || from.isOnServer || FileManager.default.fileExists(atPath: from.url.path) else {
                throw CocoaError(.fileReadNoSuchFile)
            }
            try source.open(type: from.type, at: from.url, options: options)
        } catch let error as NSError where error.code == NSPersistentStoreIncompatibleVersionHashError {
            throw failure(
                NSMigrationMissingSourceModelError,
                description: "The store '\(from.url.path)' was not made with the source model.", place: from,
                underlying: error)
        } catch {
            throw failure(
                NSMigrationManagerSourceStoreError, description: "The store '\(from.url.path)' cannot be read.",
                place: from, underlying: error)
        }
        do {
            try destination.open(type: to.type, at: temporary?.url ?? to.url, options: to.plainOptions)
            if temporary != nil { destination.beginDeferredWriting() }
        } catch {
            throw failure(
                NSMigrationManagerDestinationStoreError, description: "A store cannot be made at '\(to.url.path)'.",
                place: to, underlying: error)
        }
    }

    private func failure(
        _ code: Int, description: String, place: StorePlace, underlying: (any Error)?
    ) -> NSError {
        CoreDataError.make(
            code, description, reason: underlying.map(MigrationFailure.text), underlying: underlying,
            userInfo: [NSFilePathErrorKey: place.url.path])
    }

    func close() {
        source.close()
        destination.close()
    }

    /// Ends a failed migration: closes the stores, and removes the destination store.
    func discard() {
        let isMadeOnServer = to.isOnServer && destination.isOpen
        close()
        temporary?.discard()
        guard isMadeOnServer else { return }
        NSPersistentStoreCoordinator.registeredStoreTypes[to.type]?.administration?.discardStore(at: to.url)
    }

    // MARK: Batches

    /// Saves the new objects and releases them.
    ///
    /// - Throws: `NSMigrationConstraintViolationError` for violated uniqueness constraints, `NSMigrationError` for
    ///   other errors of the save.
    func flush(_ step: EntityStep?, batchSize: Int = 0) throws {
        let context = destination.context
        do {
            let known = associations.unsavedDestinations
            let seen = Set(known.map(ObjectIdentifier.init))
            try context.obtainPermanentIDs(
                for: known + context.insertedObjects.filter { !seen.contains(ObjectIdentifier($0)) })
            associations.settle()
            try context.save()
        } catch {
            let isConstraint = (error as NSError).code == NSManagedObjectConstraintMergeError
            var place = step?.place() ?? .init()
            if isConstraint { place.constraint = Self.constraint(in: error as NSError) }
            let values = place.constraint.map { ": values of \($0.joined(separator: ", ")) occur more than once" } ?? ""
            throw MigrationFailure.make(
                isConstraint ? NSMigrationConstraintViolationError : NSMigrationError,
                "The migrated objects of \(place.text) cannot be saved\(values).", at: place, underlying: error)
        }
        refresh(batchSize)
        try destination.checkReading()
        try source.checkReading()
    }

    /// The properties of the first uniqueness constraint that the save violated.
    private static func constraint(in error: NSError) -> [String]? {
        let conflicts = error.userInfo[CoreDataError.conflictListKey] as? [NSConstraintConflict]
        return conflicts?.first?.constraint
    }

    /// Turns objects that are still retained, by a policy or by reference cycles, into faults; most objects are
    /// deallocated already.
    func refresh(_ batchSize: Int) {
        for context in [source.context, destination.context] { context.refreshObjects(beyond: 3 * batchSize) }
    }

    // MARK: Objects

    func destinations(of sources: [NSManagedObject], step: Int?) -> [NSManagedObject] {
        guard let store = destination.store else { return [] }
        var seen = Set<ObjectIdentifier>()
        return sources.flatMap { object -> [NSManagedObject] in
            guard let number = object.recordNumber else { return [] }
            let found = associations.destinations(of: number, step: step)
            return destination.context.objects(of: found.saved, in: store) + found.unsaved
        }.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    func sources(of destinations: [NSManagedObject], step: Int) -> [NSManagedObject] {
        guard let store = source.store else { return [] }
        var seen = Set<ObjectIdentifier>()
        return destinations.flatMap { object in
            source.context.objects(of: associations.sources(of: object, step: step), in: store)
        }.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    func allDestinations(_ step: EntityStep) -> [NSManagedObject] {
        let table = associations.tables[step.number]
        let saved = (0..<table.count).filter(table.isFirst).map { associations.number(table.destinations[$0]) }
        let unsaved = associations.unsavedDestinations.filter {
            !associations.sources(of: $0, step: step.number).isEmpty
        }
        return (destination.store.map { destination.context.objects(of: saved, in: $0) } ?? []) + unsaved
    }

    func allSources(_ step: EntityStep) -> [NSManagedObject] {
        let numbers = associations.tables[step.number].sources.map { associations.number($0) }
        var seen = Set<RecordNumber>()
        let unsaved = associations.unsavedDestinations.flatMap { associations.sources(of: $0, step: step.number) }
        return source.store.map {
            source.context.objects(of: (numbers + unsaved).filter { seen.insert($0).inserted }, in: $0)
        } ?? []
    }
}
