import CoreData

/// A store with the coordinator that it is open in.
package struct ServedStore: @unchecked Sendable {
    package let coordinator: NSPersistentStoreCoordinator
    package let store: NSPersistentStore
    package let isWriting: Bool
    /// What is wrong with the store or its model though it could be opened.
    package let problems: [String]
    /// Keeps a file open; nil for a store of another owner.
    private let file: OpenStore?
    /// The file as it was opened; nil where it is not watched.
    private let identity: FileIdentity?
    private let counter: SaveCounter
    private let shownModels = ShownModelCache()
    private var shown: ShownModel?

    /// - Parameter isPrinting: whether one view is read and nothing else, so that no file need be left for others.
    init(file: URL, model: URL?, isWriting: Bool, isPrinting: Bool = false) throws {
        identity = file.isFileURL ? FileIdentity(file.path) : nil
        let open = try OpenStore(
            at: file, model: model, for: isWriting ? .editing : isPrinting ? .printing : .browsing,
            postsRemoteChanges: !isPrinting)
        coordinator = open.coordinator
        store = open.store
        self.isWriting = isWriting
        problems = open.problems
        self.file = open
        counter = SaveCounter(open.coordinator)
    }

    /// - Parameter identity: the store's file, where it is to be looked for; what becomes of a host's is the host's affair.
    init(coordinator: NSPersistentStoreCoordinator, store: NSPersistentStore, identity: FileIdentity?) {
        self.coordinator = coordinator
        self.store = store
        isWriting = !store.isReadOnly
        problems = []
        file = nil
        self.identity = identity
        counter = SaveCounter(coordinator)
    }

    /// The store's state, as far as it can be determined without reading the store.
    package var version: StoreVersion { StoreVersion(store.url, saves: counter.saves) }

    /// What happened to the file since it was opened, according to its path; nil while it is in place.
    package var fileProblem: FileProblem? {
        guard let identity, let path = store.url?.path else { return nil }
        guard let now = FileIdentity(path) else { return .deleted }
        // Stores of other types are saved as a new file in place of the old one.
        return store.type == NSSQLiteStoreType && now != identity ? .replaced : nil
    }

    /// Closes the file; the store cannot be read any more. A store of another owner stays open.
    func close() { file?.close() }

    /// The model, as far as it is shown.
    package var model: NSManagedObjectModel { shown?.model ?? wholeModel }

    /// The model that the store is read with.
    package var wholeModel: NSManagedObjectModel { coordinator.managedObjectModel }

    /// The model as it was made or given, whose entities name their classes; a file's objects are read without these.
    package var declaredModel: NSManagedObjectModel { file?.model.model ?? wholeModel }

    /// What of the model is not shown; nil where that is nothing.
    package var hidden: HiddenParts? { shown?.hidden }

    /// The store with the model that a user may see.
    package func shown(to access: BrowserAccess) -> ServedStore {
        var store = self
        store.shown = HiddenParts(of: wholeModel, from: access).map { shownModels.model(wholeModel, without: $0) }
        return store
    }

    /// The entities in the order of their numbers: each is followed by those that inherit from it.
    package var entities: [NSEntityDescription] { NSManagedObjectModel.numbered(model.entities) }

    /// The entity of a name.
    ///
    /// - Throws: `InspectionError` of code `unknownEntity` with the nearest name.
    package func entity(named name: String) throws -> NSEntityDescription {
        try model.entity(named: name)
    }

    /// The identifier of an object, whether there is such an object or not.
    package func identifier(of entity: NSEntityDescription, _ key: Int64) -> NSManagedObjectID? {
        var parts = URLComponents()
        parts.scheme = "x-coredata"
        parts.host = store.identifier
        parts.path = "/\(entity.name ?? "")/p\(key)"
        return parts.url.flatMap { coordinator.managedObjectID(forURIRepresentation: $0) }
    }
}
