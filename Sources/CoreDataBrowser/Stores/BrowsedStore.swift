import CoreData
import Synchronization

/// A store that the browser shows: a file that it opened itself, or a store of the program that mounts it.
///
/// Invariants:
/// 1. A file is open for reading until writing is switched on; the switch opens it anew.
/// 2. Each call reads with a context of its own, so calls do not wait for each other and see what is in the store.
package final class BrowsedStore: Sendable {
    /// What names the store in addresses: `1`, `2`.
    package let id: String
    package let name: String
    private let source: Source
    private let current: Mutex<OpenedStore>

    private enum Source: Sendable {
        case file(URL, model: URL?)
        case host
    }

    /// Opens a store's file with the model at a path, or with the one that the store keeps.
    ///
    /// - Throws: `InspectionError` as `OpenStore` does.
    package init(id: String, file: URL, model: URL?, isWriting: Bool) throws {
        self.id = id
        name = file.lastPathComponent
        source = .file(file, model: model)
        current = Mutex(try OpenedStore(file: file, model: model, isWriting: isWriting))
    }

    /// Shows a store of a coordinator that is somebody else's.
    package init(id: String, name: String, coordinator: NSPersistentStoreCoordinator, store: NSPersistentStore) {
        self.id = id
        self.name = name
        source = .host
        current = Mutex(OpenedStore(coordinator: coordinator, store: store))
    }

    /// The store as it is open now.
    package var opened: OpenedStore { current.withLock { $0 } }

    /// The file, where the browser opened it.
    package var file: URL? {
        if case .file(let url, _) = source { url } else { nil }
    }

    /// Opens the file anew for writing, or for reading only. What was staged in it must be saved or gone.
    ///
    /// - Throws: `InspectionError`; then the store stays as it was. A host's store cannot be switched.
    package func setWriting(_ isWriting: Bool) throws {
        guard isWriting != opened.isWriting else { return }
        guard case .file(let file, let model) = source else {
            throw InspectionError(.readOnly, name, "the program that shows the store decides whether it is written")
        }
        let next = try OpenedStore(file: file, model: model, isWriting: isWriting)
        current.withLock { $0 = next }
    }

    /// Reads what a user may see, with a context that is thrown away afterwards; ends when the task is cancelled.
    ///
    /// - Throws: `CancellationError`, and what `body` throws.
    package func read<Result: Sendable>(
        for access: BrowserAccess, _ body: @Sendable @escaping (StoreReading) throws -> Result
    ) async throws -> Result {
        let opened = opened.shown(to: access)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = opened.coordinator
        let cancellation = ReadCancellation()
        return try await withTaskCancellationHandler {
            try await context.perform {
                try ReadCancellation.$current.withValue(cancellation) { try body(StoreReading(opened, context)) }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
