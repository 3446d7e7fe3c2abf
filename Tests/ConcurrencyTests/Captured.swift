import CoreData

// What sources made for Apple's SDKs hand in and out of the blocks of the perform family. Compiled here, and by
// CompilerTests in the language modes and with the features that packages use, without a warning.

/// A view's model: it captures objects and requests, and takes objects as results.
@MainActor final class CapturingList {
    let container: NSPersistentContainer
    private(set) var heroes: [NSManagedObject] = []
    private(set) var total = 0

    init(_ container: NSPersistentContainer) { self.container = container }

    func reload(_ request: NSFetchRequest<NSManagedObject>) async throws {
        let context = container.viewContext
        heroes = try await context.perform { try context.fetch(request) }
        heroes += try await context.perform(schedule: .enqueued) { try request.execute() }
    }

    func rename(_ hero: NSManagedObject, to name: NSMutableString) async {
        await container.viewContext.perform { hero.setValue("\(name)", forKey: "name") }
    }

    func renameLater(_ hero: NSManagedObject, to name: String) {
        container.viewContext.perform { hero.setValue(name, forKey: "name") }
    }

    func renameAtOnce(_ hero: NSManagedObject, to name: String) {
        container.viewContext.performAndWait { hero.setValue(name, forKey: "name") }
    }

    func clearLater() { container.viewContext.perform { self.heroes = [] } }

    func count(_ request: NSFetchRequest<NSManagedObject>) async throws {
        total = try await container.performBackgroundTask { context in try context.count(for: request) }
    }
}

/// A class without isolation: it captures itself.
final class CapturingImporter {
    private let container: NSPersistentContainer
    private let context: NSManagedObjectContext
    private var imported = 0

    init(_ container: NSPersistentContainer) {
        self.container = container
        context = container.newBackgroundContext()
    }

    func importLater(_ names: [NSString], matching predicate: NSPredicate, _ completion: @escaping ([Any]) -> Void) {
        context.perform {
            for name in names {
                let hero = NSEntityDescription.insertNewObject(forEntityName: "Hero", into: self.context)
                hero.setValue("\(name)", forKey: "name")
                self.imported += 1
            }
            let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
            request.predicate = predicate
            completion((try? self.context.fetch(request)) ?? [])
        }
    }

    func countLater(_ request: NSFetchRequest<NSManagedObject>, _ completion: @escaping (Int) -> Void) {
        container.performBackgroundTask { context in
            self.imported += 1
            completion((try? context.count(for: request)) ?? -1)
        }
    }

    func onTheCoordinator(_ completion: @escaping (Int) -> Void) {
        container.persistentStoreCoordinator.perform { completion(self.imported) }
    }

    func heroes(named name: NSMutableString) async throws -> [NSManagedObject] {
        try await context.perform {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
            request.predicate = NSPredicate(format: "name == %@", "\(name)")
            return try self.context.fetch(request)
        }
    }

    func stores() async -> [NSPersistentStore] {
        let coordinator = container.persistentStoreCoordinator
        return await coordinator.perform { coordinator.persistentStores }
    }
}

/// An actor that keeps a context of its own.
actor CapturingActor {
    private let context: NSManagedObjectContext
    private var seen = 0

    init(_ container: NSPersistentContainer) { context = container.newBackgroundContext() }

    func names() async throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        let context = context
        let heroes = try await context.perform { try context.fetch(request) }
        seen += heroes.count
        return await context.perform { heroes.compactMap { $0.value(forKey: "name") as? String } }
    }
}
