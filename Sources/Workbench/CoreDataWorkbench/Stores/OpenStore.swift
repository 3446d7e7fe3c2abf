import CoreData

/// A store, opened with a model to be asked questions.
///
/// Classes that the model names are not looked for: all objects are plain managed objects. Values whose transformer the
/// program does not have are their stored bytes. Not for several threads.
package final class OpenStore {
    /// The author of the tool's own changes in persistent history.
    package static let author = "coredata"

    package let facts: StoreFacts
    package let model: StoreModel
    package let store: NSPersistentStore
    package let coordinator: NSPersistentStoreCoordinator
    package let context: NSManagedObjectContext
    package let reader: PropertyReader
    /// Whether the store's history keeps what transactions write over.
    let keepsOldValues: Bool
    private let historyProblems: [String]

    /// Opens a store with the model at a path, or with the model that the store keeps.
    ///
    /// - Throws: `InspectionError`: `noModel`, `modelMismatch`, `unreadable`, `readOnly` for a store that is to be edited
    ///   and cannot be, or `noHistory` for one whose history is asked for and that has none.
    package convenience init(
        at url: URL, model path: URL?, for use: StoreUse = .reading, postsRemoteChanges: Bool = false
    ) throws {
        let facts = try StoreFacts(at: url)
        try self.init(
            facts, model: Self.model(at: path, for: facts), for: use, postsRemoteChanges: postsRemoteChanges)
    }

    /// Opens a store with a model that was chosen for it.
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
                    // What is left without a trace is perhaps read from a copy, in which no later writes are seen, and
                    // by one connection, where past states need others.
                    SQLiteStoreLeavesNoTraceOption:
                        use != .followingHistory && use != .browsing
                        && !((use == .readingTransaction || use == .printing) && presence.keepsOldValues),
                    // Who only reads records nothing, and is not to be told that it could not.
                    NSPersistentHistoryTrackingKey: !use.isEditing || presence.isOn,
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

    /// The model at a path, or else the one that the store keeps.
    ///
    /// - Throws: `InspectionError`: `noModel` where there is none, `unreadable` for one that cannot be read.
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

    /// What is wrong with the store or its model though it could be opened.
    package var problems: [String] { model.problems + ((store as? SQLiteStore)?.problems ?? []) + historyProblems }

    /// Who changes the store, as its history says; the tool unless another author is named.
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

    /// The entities in the order of their numbers: each is followed by those that inherit from it.
    package var entities: [NSEntityDescription] {
        NSManagedObjectModel.numbered(coordinator.managedObjectModel.entities)
    }

    /// Classes of another program's objects are not here, and looking for them would only be noise.
    package static func prepared(_ model: NSManagedObjectModel, for use: StoreUse) -> NSManagedObjectModel {
        guard let copy = model.copy() as? NSManagedObjectModel else { return model }
        for entity in copy.entities {
            entity.managedObjectClassName =
                use == .importing ? String(reflecting: ImportedObject.self) : "NSManagedObject"
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
    /// Closes the store, which is of no use afterwards.
    package func close() {
        context.performAndWait { context.reset() }
        // What goes wrong then is found by who opens the store next.
        try? coordinator.remove(store)
    }

    /// Asks the store; what it throws is said of its file.
    package func namingFile<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw InspectionError.unreadable(facts.url, error)
        }
    }
}
