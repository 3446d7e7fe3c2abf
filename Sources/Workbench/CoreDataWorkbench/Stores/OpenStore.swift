import CoreData

/// A store that is open with its model.
///
/// All objects are plain managed objects: the classes that the model names are not used. Values whose transformer the
/// program lacks are their stored bytes. Not thread-safe.
package final class OpenStore {
    /// The transaction author of the tool's changes in persistent history.
    package static let author = "coredata"

    package let facts: StoreFacts
    package let model: StoreModel
    package let store: NSPersistentStore
    package let coordinator: NSPersistentStoreCoordinator
    package let context: NSManagedObjectContext
    package let reader: PropertyReader
    /// Whether the store's history records old values.
    let keepsOldValues: Bool
    private let historyProblems: [String]

    /// Opens a store with the model at a path, or with the model in the store's metadata.
    ///
    /// - Throws: `InspectionError`: `noModel`, `modelMismatch`, `unreadable`, `readOnly` for a store that is to be
    ///   edited and cannot be, or `noHistory` for one whose history is requested and does not exist.
    package convenience init(
        at url: URL, model path: URL?, for use: StoreUse = .reading, postsRemoteChanges: Bool = false
    ) throws {
        let facts = try StoreFacts(at: url)
        try self.init(
            facts, model: Self.model(at: path, for: facts), for: use, postsRemoteChanges: postsRemoteChanges)
    }

    /// Opens a store with a model that was chosen before.
    package init(
        _ facts: StoreFacts, model: StoreModel, for use: StoreUse = .reading, postsRemoteChanges: Bool = false
    ) throws {
        if let mismatch = model.mismatch { throw mismatch }
        guard !use.isEditing || model.differences.isEmpty else {
            throw InspectionError(
                .modelMismatch, subject: facts.url.place, cause: model.problems.joined(separator: "; "),
                hint: "give the model that fits: --model PATH"
            )
        }
        self.facts = facts
        self.model = model
        let presence = try HistoryPresence(facts, for: use)
        historyProblems = presence.problems
        keepsOldValues = presence.keepsOldValues
        StoredBytes.standIn(for: model.model)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.prepared(model.model, for: use))
        do {
            store = try coordinator.addPersistentStore(
                type: facts.type, configuration: model.configuration, at: facts.url,
                options: [
                    NSReadOnlyPersistentStoreOption: !use.isEditing,
                    // Without a trace, the store may be read from a copy, which does not show later writes, and by a
                    // single connection, although reading past states needs several.
                    SQLiteStoreLeavesNoTraceOption:
                        use != .followingHistory && use != .browsing
                        && !((use == .readingTransaction || use == .printing) && presence.keepsOldValues),
                    // Read-only use records nothing; with this option, a store with a history opens without an error.
                    NSPersistentHistoryTrackingKey: !use.isEditing || presence.isOn || use == .syncing,
                    NSPersistentStoreRemoteChangeNotificationPostOptionKey: postsRemoteChanges,
                    CoreDataHistoryKeepsOldValuesOption: presence.keepsOldValues,
                    NSIgnorePersistentStoreVersioningOption: !model.differences.isEmpty,
                ])
        } catch {
            throw InspectionError.unreadable(facts.url, error)
        }
        guard !use.isEditing || !store.isReadOnly else {
            let reason = store.objects?.reasonForReadOnly
            throw InspectionError(
                .readOnly, subject: facts.url.place, cause: "the store can only be read", hint: reason)
        }
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.transactionAuthor = Self.author
        reader = PropertyReader(context)
    }

    /// Uses a store that a program has open, by a context of its own. Objects are of the program's classes, and what is saved is
    /// announced when `context.announceHeldChanges()` is called.
    ///
    /// - Parameter name: what the history calls the context.
    package init(
        using store: NSPersistentStore, of coordinator: NSPersistentStoreCoordinator, author: String?, name: String
    ) {
        facts = StoreFacts(of: store)
        model = StoreModel(of: store, coordinator.managedObjectModel)
        (self.store, self.coordinator, keepsOldValues, historyProblems) = (store, coordinator, false, [])
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        (context.transactionAuthor, context.name) = (author, name)
        context.heldChanges = SavedChanges()
        reader = PropertyReader(context)
    }

    /// Whether the store is one that the program has open, whose contexts must learn of changes.
    package var isShared: Bool { context.heldChanges != nil }

    /// The model at a path, or else the one that the store contains.
    ///
    /// - Throws: `InspectionError`: `noModel` if there is no model, `unreadable` for one that cannot be read.
    package static func model(at path: URL?, for facts: StoreFacts) throws -> StoreModel {
        try model(at: path, for: facts, nil)
    }

    package static func model(at path: URL?, for facts: StoreFacts, _ store: RawStore?) throws -> StoreModel {
        if let path { return try StoreModel.given(path, for: facts) }
        let hint = "give the model that it was made with: --model PATH; 'fetch --raw' needs none"
        do {
            if let cached = try StoreModel.cached(in: facts, store) { return cached }
        } catch {
            let reason =
                (error as NSError).userInfo[NSLocalizedFailureReasonErrorKey] as? String
                ?? ErrorText.line(for: error)
            throw InspectionError(
                .unreadable, subject: facts.url.place,
                cause: "the model that the store keeps cannot be read: \(reason)", hint: hint)
        }
        throw InspectionError(.noModel, subject: facts.url.place, cause: "the store keeps no model", hint: hint)
    }

    /// Problems of the store or its model that did not prevent opening.
    package var problems: [String] { model.problems + ((store as? SQLiteStore)?.problems ?? []) + historyProblems }

    /// The transaction author of changes, which the store's history records; by default the tool.
    package var author: String? {
        get { context.transactionAuthor }
        set { context.transactionAuthor = newValue }
    }

    /// The entity of a name.
    ///
    /// - Throws: `InspectionError` of code `unknownEntity` with the nearest name.
    package func entity(named name: String) throws -> NSEntityDescription {
        try coordinator.managedObjectModel.entity(named: name)
    }

    /// The entities in the order of their numbers in the store: each is followed by its subentities.
    package var entities: [NSEntityDescription] {
        NSManagedObjectModel.numbered(coordinator.managedObjectModel.entities)
    }

    /// A copy of a model for a use of its store. Its entities do not name the classes of the store's own program, which
    /// this program lacks and would report as missing.
    package static func prepared(_ model: NSManagedObjectModel, for use: StoreUse) -> NSManagedObjectModel {
        guard let copy = model.copy() as? NSManagedObjectModel else { return model }
        for entity in copy.entities {
            entity.managedObjectClassName = "NSManagedObject"
            for case let attribute as NSAttributeDescription in entity.ownProperties
            where attribute.attributeType == .transformableAttributeType {
                attribute.keepsStoredForm = use.keepsStoredForm
            }
        }
        return copy
    }
}

extension NSManagedObjectModel {
    /// The entity of a name.
    ///
    /// - Throws: `InspectionError` of code `unknownEntity` with the nearest name.
    package func entity(named name: String) throws -> NSEntityDescription {
        if let entity = entitiesByName[name] { return entity }
        let near = NameSuggestion(for: name, in: entitiesByName.keys)
        throw InspectionError(
            .unknownEntity, subject: PrintableText.escaped(name, limit: 80), cause: "the model has no such entity",
            hint: near?.question)
    }
}

extension OpenStore {
    /// Closes the store, which cannot be used afterwards.
    package func close() {
        context.performAndWait { context.reset() }
        // An error of closing shows when the store is opened next.
        try? coordinator.remove(store)
    }

    /// Runs `body`, which reads or writes the store; converts its errors to `InspectionError` with the store's path.
    package func namingFile<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw InspectionError.unreadable(facts.url, error)
        }
    }
}
