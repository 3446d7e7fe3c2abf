import CoreData
import CoreDataSyncing
import Synchronization

/// A store of items with a session, on its own coordinator.
final class SyncedItems {
    let store: ItemStore
    let container: NSPersistentContainer
    let session: SyncSession
    let context: NSManagedObjectContext

    /// - Parameter count: How many items the store has before it takes part.
    init(_ bench: Workbench, _ count: Int, over transport: any SyncTransport, synchronous: String = "FULL") throws {
        store = try ItemStore(count: count, at: bench.place("Synced"))
        container = try store.open(pragmas: ["synchronous": synchronous], tracksHistory: true)
        session = try SyncSession(container.persistentStoreCoordinator.persistentStores[0], over: transport)
        context = container.newBackgroundContext()
    }

    deinit {
        try? Workbench.close(container)
        store.remove()
        try? FileManager.default.removeItem(atPath: store.url.path + "-sync")
    }

    func join(_ beginning: SyncSession.Beginning) throws {
        let session = session
        try Self.wait { try await session.join(beginning) }
    }

    @discardableResult func exchange() throws -> SyncSummary {
        let session = session
        return try Self.wait { try await session.exchange() }
    }

    func count() throws -> Int {
        try context.performAndWait { try context.count(for: NSFetchRequest<Item>(entityName: "Item")) }
    }

    /// Two peers over one transport that have the same items.
    static func pair(_ bench: Workbench, _ count: Int, synchronous: String = "FULL") throws -> (
        SyncedItems, SyncedItems
    ) {
        let transport = MemoryTransport()
        let first = try SyncedItems(bench, count, over: transport, synchronous: synchronous)
        let second = try SyncedItems(bench, 0, over: transport, synchronous: synchronous)
        try first.join(.founding)
        try second.join(.joining)
        for _ in 0..<3 { for peer in [first, second] { try peer.exchange() } }
        guard try second.count() == count else { throw Failure("the peer has other items") }
        return (first, second)
    }

    /// Waits for work that suspends.
    private static func wait<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
        let outcome = Outcome<Result>()
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                let result = try await body()
                outcome.value.withLock { $0 = .success(result) }
            } catch {
                outcome.value.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        done.wait()
        guard let result = outcome.value.withLock({ $0 }) else { throw Failure("the work gave no result") }
        return try result.get()
    }

    private final class Outcome<Value: Sendable>: Sendable {
        let value = Mutex<Result<Value, any Error>?>(nil)
    }
}
