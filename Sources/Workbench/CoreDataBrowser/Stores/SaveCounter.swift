import CoreData
import Synchronization

/// Counts the saves of contexts of one coordinator, and the remote changes that the coordinator reports.
final class SaveCounter: Sendable {
    private let counted: Counted
    // Set once, and used only to remove the observers.
    nonisolated(unsafe) private let observers: [any NSObjectProtocol]

    init(_ coordinator: NSPersistentStoreCoordinator) {
        let counted = Counted(coordinator)
        let center = NotificationCenter.default
        observers = [
            center.addObserver(forName: .NSManagedObjectContextDidSave, object: nil, queue: nil) { note in
                guard let context = note.object as? NSManagedObjectContext else { return }
                counted.note(context.persistentStoreCoordinator)
            },
            center.addObserver(forName: .NSPersistentStoreRemoteChange, object: nil, queue: nil) { note in
                counted.note(note.object as? NSPersistentStoreCoordinator)
            },
        ]
        self.counted = counted
    }

    var saves: Int { counted.saves }

    deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

    /// The part of the counter that the observers retain, so that they do not retain the counter itself.
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
