import CoreDataGraph
import Foundation

/// Models in use, and their changes until they are saved.
///
/// May be used on one thread at a time, and so may its models.
public final class ModelContext: CustomDebugStringConvertible {
    /// The container of the context's stores.
    public let container: ModelContainer
    /// The context of the records, for code that uses them through Core Data.
    package let records: RecordContext
    let autosaver = Autosaver()
    /// Whether an observer of results wants the changes at the end of each job of the context's executor.
    var isObserved = false
    /// Whether a save is being made, whose own processing of changes plans no other.
    var isSaving = false

    /// Makes a context of a container.
    public convenience init(_ container: ModelContainer) {
        self.init(container, concurrencyType: .confinementConcurrencyType)
    }

    init(_ container: ModelContainer, concurrencyType: NSManagedObjectContextConcurrencyType) {
        self.container = container
        records = RecordContext(concurrencyType: concurrencyType)
        records.persistentStoreCoordinator = container.coordinator
        records.owner = self
        records.mergePolicy = ModelMergePolicy.shared
        if concurrencyType == .mainQueueConcurrencyType {
            records.tracksObservation = true
            records.automaticallyMergesChangesFromParent = true
            autosaver.isEnabled = true
            autosaver.queue = .main
        }
    }

    deinit {
        // What was not saved is only in the models from now on.
        if records.hasChanges { leaveInserted() }
        for case let store as any EditingStateFollowing in container.coordinator.persistentStores {
            store.end(editingState)
        }
    }

    /// Whether there are changes that are not saved.
    public var hasChanges: Bool { records.hasChanges }

    /// Who makes the changes, for the history.
    public var author: String? {
        get { records.transactionAuthor }
        set { records.transactionAuthor = newValue }
    }

    /// The context as stores of one's own see it.
    public var editingState: EditingState { EditingState(id: identity, author: author) }
    private let identity = UUID()

    /// The undo manager of the changes; none by default.
    public var undoManager: UndoManager? {
        get { records.undoManager }
        set { records.undoManager = newValue }
    }

    /// Whether `withObservationTracking` sees the models' properties: true in the container's main context, false in
    /// others by default, since it makes reading a property slower.
    public var tracksObservation: Bool {
        get { records.tracksObservation }
        set { records.tracksObservation = newValue }
    }

    /// Whether changes are saved without a call of `save()`: true in the container's main context, false in others by
    /// default.
    ///
    /// The main context and those of model actors save on their queues, at most `autosaveDelay` after a change was
    /// processed; all changes until then are one save. Another context, which has no queue, saves when it fetches after
    /// that time. A save that fails is logged, and its changes remain in the context. The main context needs a program
    /// that serves the main queue, as asynchronous ones do.
    public var autosaveEnabled: Bool {
        get { autosaver.isEnabled }
        set {
            autosaver.isEnabled = newValue
            changesWereProcessed()
        }
    }

    /// How long a change may wait for an automatic save; 100 milliseconds by default.
    public var autosaveDelay: Duration {
        get { autosaver.delay }
        set { autosaver.delay = newValue }
    }

    /// The models that the next save inserts.
    public var insertedModelsArray: [any PersistentModel] { models(records.insertedObjects) }
    /// The models with changes that are not saved.
    public var changedModelsArray: [any PersistentModel] { models(records.updatedObjects) }
    /// The models that the next save deletes.
    public var deletedModelsArray: [any PersistentModel] { models(records.deletedObjects) }

    /// Completes inverses and delete rules of the changes, and notifies observers.
    public func processPendingChanges() { records.processPendingChanges() }

    private func models(_ objects: Set<NSManagedObject>) -> [any PersistentModel] {
        objects.compactMap { $0 as? ModelRecord }.sorted { $0.key < $1.key }.map { $0.presentModel() }
    }

    public var debugDescription: String {
        "ModelContext: \(insertedModelsArray.count) inserted, \(changedModelsArray.count) changed, "
            + "\(deletedModelsArray.count) deleted"
    }
}

/// The context of the records of models.
package final class RecordContext: NSManagedObjectContext, RelatedModelInserting, @unchecked Sendable {
    weak var owner: ModelContext?
    /// The records whose rows a save found deleted, and whose changes it dropped.
    var goneRecords: Set<ModelRecord> = []

    func insertRelated(_ model: some PersistentModel) { owner?.insert(model) }

    package override func processPendingChanges() {
        super.processPendingChanges()
        owner?.changesWereProcessed()
    }

    override package func save() throws {
        guard let owner else {
            try saveModels { try super.save() }
            return
        }
        try owner.announcing { try saveModels { try super.save() } }
    }
}

extension NSManagedObjectContext {
    var modelContext: ModelContext? { (self as? RecordContext)?.owner }
}
