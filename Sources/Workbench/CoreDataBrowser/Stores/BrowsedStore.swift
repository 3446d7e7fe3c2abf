import CoreData
import Synchronization

/// A store that the browser shows: a file that the browser opened, or a store of the program that mounts the browser.
///
/// Invariants:
/// 1. A file is open for reading only until writing is switched on, which opens the file again.
/// 2. Each call reads with a context of its own, so calls do not wait for each other and see the store's present state.
/// 3. A file that was deleted, replaced or damaged is neither read nor written until it is opened again.
package final class BrowsedStore: Identifiable, Sendable {
    /// The store's name in addresses: `SuperDB-x5f0c21d9`.
    package let id: String
    package let name: String
    private let source: Source
    private let current: Mutex<State>
    /// Locked while a thread opens the file again.
    private let opening = Mutex(())
    /// Whose turn it is to change the file.
    let fileTurn = FileTurn()

    private struct State: Sendable {
        var opened: ServedStore
        /// Why the file could not be opened again; the store is closed then.
        var failure: BrowserFailure?
    }

    /// The model's file or folder that was given together with the store's file.
    package var model: URL? {
        if case .file(_, let model) = source { model } else { nil }
    }

    private enum Source: Sendable {
        case file(URL, model: URL?)
        case host
    }

    /// A store's file that was opened with the model at a path, or with the model in the store's metadata.
    init(id: String, file: URL, model: URL?, opened: ServedStore) {
        self.id = id
        name = file.storeName
        source = .file(file, model: model)
        current = Mutex(State(opened: opened))
    }

    /// A store of a coordinator of the program that mounts the browser, or an application's store.
    init(
        id: String, name: String, coordinator: NSPersistentStoreCoordinator, store: NSPersistentStore,
        identity: FileIdentity? = nil
    ) {
        self.id = id
        self.name = name
        source = .host
        current = Mutex(State(opened: ServedStore(coordinator: coordinator, store: store, identity: identity)))
    }

    /// The store as it is open now.
    package var opened: ServedStore { current.withLock { $0.opened } }

    /// The file, if the browser opened it; nil otherwise.
    package var file: URL? {
        if case .file(let url, _) = source { url } else { nil }
    }

    /// Opens the file again for writing, or for reading only. The caller ensures that nothing is staged in it.
    ///
    /// - Throws: `InspectionError`; then the store stays as it was. A host's store cannot be switched.
    package func setWriting(_ isWriting: Bool) throws {
        guard isWriting != opened.isWriting else { return }
        guard case .file(let file, let model) = source else {
            throw InspectionError(
                .readOnly, subject: name, cause: "the program that shows the store decides whether it is written")
        }
        let next = try ServedStore(file: file, model: model, isWriting: isWriting)
        current.withLock { $0 = State(opened: next) }
    }

    /// Why the file could not be opened again and the store is closed; nil if it is open.
    var closingFailure: BrowserFailure? { current.withLock { $0.failure } }

    /// Closes the file, runs `work`, and opens the file for reading or writing as before. If that fails, the store
    /// stays closed, and the error that `reason` returns is thrown and stored.
    ///
    /// - Throws: Errors of `work`, after the file was opened again.
    func replaceOpened(_ file: URL, _ reason: (any Error) -> BrowserFailure, after work: () throws -> Void) throws {
        try opening.withLock { _ in
            let old = opened
            old.close()
            let done = Swift.Result { try work() }
            do {
                let next = try ServedStore(file: file, model: model, isWriting: old.isWriting)
                current.withLock { $0 = State(opened: next) }
            } catch {
                let failure = reason(error)
                current.withLock { $0.failure = failure }
                throw failure
            }
            try done.get()
        }
    }

    /// Reads what a user may see, with a context that is discarded afterwards; ends when the task is cancelled.
    ///
    /// - Throws: `CancellationError`, errors of `body`, and `BrowserFailure` if the file was deleted, replaced or
    ///   damaged.
    package func read<Result: Sendable>(
        for access: BrowserAccess, _ body: @Sendable @escaping (StoreReading) throws -> Result
    ) async throws -> Result {
        try requireFile()
        let opened = opened.shown(to: access)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = opened.coordinator
        let cancellation = ReadCancellation()
        return try await namingFileProblem {
            try await withTaskCancellationHandler {
                try await context.perform {
                    try ReadCancellation.$current.withValue(cancellation) { try body(StoreReading(opened, context)) }
                }
            } onCancel: {
                cancellation.cancel()
            }
        }
    }
}
