import CoreDataStore

/// A persistent store whose records are managed by a backend.
///
/// Invariants:
/// 1. `loadMetadata()` sets `backend` and `objects` when it succeeds, and `willRemove(from:)` sets both to nil. One
///    thread at a time, which locks the store (`serialized`), uses the backend to save and to answer queries; other
///    threads read with its readers.
/// 2. Nothing is written unless the store was opened for writing.
package final class BackedStore<Backend: StoreBackend>: NSPersistentStore, @unchecked Sendable {
    /// The backend of the open store.
    private var backend: Backend? {
        didSet {
            objects = backend
            openCapabilities = backend.map { _ in Backend.capabilities(at: url) }
        }
    }
    /// The capabilities of the open store; nil while it is not open.
    private var openCapabilities: Capabilities?
    private var stored: [String: Any] = [:]

    override package var type: String { Backend.storeType }

    override package var capabilities: Capabilities { openCapabilities ?? Backend.capabilities(at: url) }

    override package var isReadOnly: Bool {
        get { backend?.isReadOnly ?? super.isReadOnly }
        set { super.isReadOnly = newValue }
    }

    override package var metadata: [String: Any]! {
        get { serialized { stored } }
        set {
            serialized {
                stored = newValue ?? [:]
                hasUnsavedMetadata = true
            }
        }
    }

    /// The irregularities that were found in the store, as sentences: skipped rows, differences from the model.
    package var problems: [String] { serialized { backend?.problems ?? [] } }

    /// Runs a block with the backend while the store is locked.
    ///
    /// - Throws: `NSPersistentStoreOperationError` for a store that is not open.
    package func withBackend<Result>(_ body: (Backend) throws -> Result) throws -> Result {
        try serialized {
            guard let backend else {
                throw CoreDataError.make(
                    NSPersistentStoreOperationError, "The store '\(url?.path ?? "")' is not open.")
            }
            return try body(backend)
        }
    }

    /// Opens the store, or creates it, and checks that it was made with the coordinator's model.
    ///
    /// - Throws: `NSPersistentStoreOpenError` if the store cannot be opened or is not a store,
    ///   `NSPersistentStoreIncompatibleVersionHashError` if it was made with another model, `NSCoreDataError` and
    ///   others of `NSCocoaErrorDomain`. The existing file or database then remains unchanged.
    override package func loadMetadata() throws {
        guard let url, let opened = try open(at: url) else { return }
        backend = opened.backend
        stored = opened.metadata
        identifier = opened.identifier
        self.url = Backend.shownURL(url)
    }

    private func open(at url: URL) throws -> OpenedStore<Backend>? {
        guard let coordinator = persistentStoreCoordinator else { return nil }
        return try Backend.open(
            OpeningRequest(
                url: url, options: (options ?? [:]).merging([NSReadOnlyPersistentStoreOption: super.isReadOnly]) { $1 },
                configuration: configurationName, layouts: coordinator.modelLayout, delegate: self))
    }

    override package func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        backend?.close()
        backend = nil
    }

    override package class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try Backend.metadata(at: url)
    }

    override package class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        try Backend.setMetadata(metadata ?? [:], at: url)
    }

    override package class var administration: (any StoreAdministering.Type)? { Backend.self }

    override package class var schemaMigrating: (any SchemaMigrating.Type)? { Backend.schemaMigrating }

    override package class func shownURL(_ url: URL) -> URL { Backend.shownURL(url) }

    override package class func keptModel(at url: URL) throws -> NSManagedObjectModel? {
        try Backend.cachedModel(at: url)
    }

    override package class func keepsHistory(at url: URL) throws -> Bool { try Backend.keepsHistory(at: url) }

    override package class func statementReading(at url: URL) throws -> (any StatementReading)? {
        try Backend.statementReading(at: url)
    }

    override package func relocate(to url: URL) throws {
        if try backend?.relocate(to: url) == true {
            self.url = url
            return
        }
        guard FileManager.default.fileExists(atPath: url.path), let opened = try open(at: url) else {
            throw Backend.unusable(url, "there is no such file", hint: "Move the store's file there first.")
        }
        guard opened.identifier == identifier else {
            opened.backend.close()
            throw Backend.unusable(
                url, "it is another store, with the identity \(opened.identifier)",
                hint: "Remove the old store and add this one.")
        }
        backend?.close()
        self.url = url
        backend = opened.backend
    }
}

extension StoreBackend {
    /// The class of persistent stores with this backend.
    static var storeClass: NSPersistentStore.Type { BackedStore<Self>.self }
}
