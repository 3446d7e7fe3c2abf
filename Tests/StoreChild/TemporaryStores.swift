import CoreData
import Synchronization
import WriteScenarios

/// A process that is killed, or holds on, while there is a temporary file of its own.
enum Drafting {
    private static let isFatal = Mutex(false)

    /// Saves a row, and is killed by itself before the file with the next one gets its name.
    static func replaceRows(_ path: String, kind: String) throws {
        let operations = FileOperations { step in
            if step == .publish, isFatal.withLock({ $0 }) { kill(getpid(), SIGKILL) }
            return nil
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SharedRows.make())
        try coordinator.addPersistentStore(
            ofType: kind, configurationName: nil, at: URL(fileURLWithPath: path),
            options: [RecordFileOperationsOption: operations])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        for _ in 0..<2 {
            try context.performAndWait {
                _ = NSEntityDescription.insertNewObject(forEntityName: "Row", into: context)
                try context.save()
            }
            say("saved")
            isFatal.withLock { $0 = true }
        }
    }

    /// Claims a temporary file, makes its file and waits.
    static func hold(_ path: String) throws {
        let owner = TemporaryStoreOwner(for: URL(fileURLWithPath: path), purpose: "creating")
        try Data("temporary".utf8).write(to: owner.temporary)
        say(owner.temporary.lastPathComponent)
        withExtendedLifetime(owner) { while true { pause() } }
    }
}
