import CoreData
import Synchronization

/// A store that the browser shows: a file that it opened itself, or a store of the program that mounts it.
///
/// Invariants:
/// 1. A file is open for reading until writing is switched on; the switch opens it again.
/// 2. Each call reads with a context of its own, so calls do not wait for each other and see what is in the store.
/// 3. A file that was deleted, replaced or damaged is neither read nor written, until it is opened again.
package final class BrowsedStore: Identifiable, Sendable {
    /// What names the store in addresses: `SuperDB-x5f0c21d9`.
    package let id: String
    package let name: String
    private let source: Source
    private let current: Mutex<State>
    /// Held while the file is opened again, by one at a time.
    private let opening = Mutex(())

    private struct State: Sendable {
        var opened: ServedStore
        /// Why the file could not be opened again; the store is closed then.
        var failure: BrowserFailure?
    }

    /// The model's file or folder that was given with the store's.
    package var model: URL? {
        if case .file(_, let model) = source { model } else { nil }
    }

    private enum Source: Sendable {
        case file(URL, model: URL?)
        case host
    }

    /// Shows a store's file that was opened with the model at a path, or with the one that the store keeps.
    init(id: String, file: URL, model: URL?, opened: ServedStore) {
        self.id = id
        name = file.storeName
        source = .file(file, model: model)
        current = Mutex(State(opened: opened))
    }

    /// Shows a store of a coordinator of another owner, or an application's.
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

    /// The file, where the browser opened it.
    package var file: URL? {
        if case .file(let url, _) = source { url } else { nil }
    }

    /// Opens the file again for writing, or for reading only. What was staged in it must be saved or gone.
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

    /// Why the file could not be opened again, after which the store is closed.
    var closingFailure: BrowserFailure? { current.withLock { $0.failure } }

    /// Closes the file, does some work, and opens the file as it was open; where that fails the store stays closed, for the
    /// reason that is given.
    ///
    /// - Throws: what `work` throws, after the file was opened again.
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

    /// Reads what a user may see, with a context that is thrown away afterwards; ends when the task is cancelled.
    ///
    /// - Throws: `CancellationError`, what `body` throws, and `BrowserFailure` where something happened to the file.
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
