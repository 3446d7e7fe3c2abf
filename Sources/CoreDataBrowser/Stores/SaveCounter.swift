import CoreData
import Synchronization

/// Counts the saves of contexts of one coordinator.
final class SaveCounter: Sendable {
    private let counted: Counted
    // Set once; removing the observer is all that is done with it.
    nonisolated(unsafe) private let observer: any NSObjectProtocol

    init(_ coordinator: NSPersistentStoreCoordinator) {
        let counted = Counted(coordinator)
        observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
        ) { note in
            guard let context = note.object as? NSManagedObjectContext else { return }
            counted.note(context.persistentStoreCoordinator)
        }
        self.counted = counted
    }

    var saves: Int { counted.saves }

    deinit { NotificationCenter.default.removeObserver(observer) }

    /// What the observer has of the counter, which it does not keep.
    private final class Counted: Sendable {
        private let coordinator: ObjectIdentifier
        private let count = Mutex(0)

        init(_ coordinator: NSPersistentStoreCoordinator) { self.coordinator = ObjectIdentifier(coordinator) }

        var saves: Int { count.withLock { $0 } }

        func note(_ coordinator: NSPersistentStoreCoordinator?) {
            guard coordinator.map({ ObjectIdentifier($0) }) == self.coordinator else { return }
            count.withLock { $0 += 1 }
        }
    }
}
