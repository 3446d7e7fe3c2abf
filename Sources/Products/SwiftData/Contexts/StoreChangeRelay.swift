import CoreDataGraph
import Foundation
import Synchronization

/// Reports what is saved in the stores of a container: by its contexts, and by other processes if the stores keep a
/// history.
///
/// It is a context of its own without objects that merges the changes of others; what it merges, it reports on its queue.
final class StoreChangeRelay: Sendable {
    /// The identifiers of what was saved, in the form in which contexts merge it. Not changed after it is made.
    struct Changes: @unchecked Sendable {
        let userInfo: [AnyHashable: Any]
    }

    /// Ends with the object.
    final class Subscription: Sendable {
        private let relay: StoreChangeRelay
        private let key: UUID

        init(_ relay: StoreChangeRelay, _ key: UUID) {
            self.relay = relay
            self.key = key
        }

        deinit { relay.subscribers.withLock { $0[key] = nil } }
    }

    private let subscribers = Mutex<[UUID: @Sendable (Changes) -> Void]>([:])
    private let context: NSManagedObjectContext
    private let observer = Mutex<Observer?>(nil)

    private struct Observer: @unchecked Sendable {
        let token: any NSObjectProtocol
    }

    init(_ coordinator: NSPersistentStoreCoordinator) {
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.automaticallyMergesChangesFromParent = true
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidMergeChangesObjectIDs, object: context, queue: nil
        ) { [weak self] notification in
            guard let self, let userInfo = notification.userInfo else { return }
            let changes = Changes(userInfo: userInfo)
            for report in subscribers.withLock({ Array($0.values) }) { report(changes) }
        }
        let made = Observer(token: token)
        observer.withLock { $0 = made }
    }

    deinit {
        observer.withLock { observer in
            if let token = observer?.token { NotificationCenter.default.removeObserver(token) }
        }
    }

    /// Calls a function with each later save, on the queue of the relay.
    func subscribe(_ report: @escaping @Sendable (Changes) -> Void) -> Subscription {
        let key = UUID()
        subscribers.withLock { $0[key] = report }
        return Subscription(self, key)
    }
}
