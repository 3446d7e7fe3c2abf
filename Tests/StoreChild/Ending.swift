import CoreData
import Dispatch
import WriteScenarios

/// A process with unsaved changes that is asked to end.
enum Ending {
    static func run(_ path: String, _ how: String) throws {
        if how == "asked" { holdSignal() }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SharedRows.make())
        try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: path))
        let contexts = [1, 2, 3].map { number in context(number, coordinator) }
        NSManagedObjectContext.terminationSaveLimit = how == "stuck" ? 0.2 : 60
        if how == "asked" { kill(getpid(), SIGTERM) }
        for context in contexts.prefix(2) { context.savesOnTermination = true }
        if how == "off" { for context in contexts { context.savesOnTermination = false } }
        if how == "stuck" { hang(contexts[1]) }
        say("ready")
        if how == "exit" { exit(7) }
        withExtendedLifetime(contexts) { dispatchMain() }
    }

    /// A context with an unsaved row: the first on the main queue, the others on queues of their own.
    private static func context(_ number: Int, _ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(number == 1 ? .mainQueue : .privateQueue)
        context.persistentStoreCoordinator = coordinator
        context.performAndWait {
            let row = NSEntityDescription.insertNewObject(forEntityName: "Row", into: context)
            row.setValue(number, forKey: "number")
        }
        return context
    }

    /// Keeps SIGTERM waiting for whoever takes it first, on this thread and those that it starts.
    private static func holdSignal() {
        var held = sigset_t()
        sigemptyset(&held)
        sigaddset(&held, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &held, nil)
    }

    /// Keeps a context's queue busy for ever.
    private static func hang(_ context: NSManagedObjectContext) {
        let begun = DispatchSemaphore(value: 0)
        context.perform {
            begun.signal()
            while true { sleep(1_000) }
        }
        begun.wait()
    }
}
