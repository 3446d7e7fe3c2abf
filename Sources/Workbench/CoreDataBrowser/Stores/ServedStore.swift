import CoreData

/// An open store and its coordinator.
package struct ServedStore: @unchecked Sendable {
    package let coordinator: NSPersistentStoreCoordinator
    package let store: NSPersistentStore
    package let isWriting: Bool
    /// Problems of the store or its model that did not prevent opening.
    package let problems: [String]
    /// The file that the browser opened; nil for a store of the program that mounts the browser.
    private let file: OpenStore?
    /// The identity of the file when it was opened; nil if the file is not watched.
    private let identity: FileIdentity?
    private let counter: SaveCounter
    private let shownModels = ShownModelCache()
    /// The kinds of entities, as they were found first.
    let kinds = KindCache()
    private var shown: ShownModel?

    /// - Parameter isPrinting: Whether this process reads one view only, so that no file has to be left for other
    ///   processes.
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

    /// - Parameter identity: The store's file, if it is to be watched; the program that mounts the browser watches its
    ///   own.
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
        // Saving a store of another type replaces its file, which is not a problem.
        return store.type == NSSQLiteStoreType && now != identity ? .replaced : nil
    }

    /// Closes the file, after which the store cannot be read. A store of the program that mounts the browser stays
    /// open.
    func close() { file?.close() }

    /// The model without its hidden parts.
    package var model: NSManagedObjectModel { shown?.model ?? wholeModel }

    /// The complete model with which the store is read.
    package var wholeModel: NSManagedObjectModel { coordinator.managedObjectModel }

    /// The model as it was declared, with the class names of its entities; the objects of a file are read without these
    /// classes.
    package var declaredModel: NSManagedObjectModel { file?.model.model ?? wholeModel }

    /// The hidden parts of the model; nil if there are none.
    package var hidden: HiddenParts? { shown?.hidden }

    /// The store with the model that a user may see.
    package func shown(to access: BrowserAccess) -> ServedStore {
        var store = self
        store.shown = HiddenParts(of: wholeModel, from: access).map { shownModels.model(wholeModel, without: $0) }
        return store
    }

    /// The entities in the order of their numbers in the store: each is followed by its subentities.
    package var entities: [NSEntityDescription] { NSManagedObjectModel.numbered(model.entities) }

    /// The entity of a name.
    ///
    /// - Throws: `InspectionError` of code `unknownEntity` with the nearest name.
    package func entity(named name: String) throws -> NSEntityDescription {
        try model.entity(named: name)
    }

    /// The identifier for a primary key, whether or not the object exists.
    package func identifier(of entity: NSEntityDescription, _ key: Int64) -> NSManagedObjectID? {
        var parts = URLComponents()
        parts.scheme = "x-coredata"
        parts.host = store.identifier
        parts.path = "/\(entity.name ?? "")/p\(key)"
        return parts.url.flatMap { coordinator.managedObjectID(forURIRepresentation: $0) }
    }
}
