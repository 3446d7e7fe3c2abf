import CoreData

// The code of Docs/Concurrency.md, as a program in Swift 6 mode has it; `PageTests` compares the two.

/// A value to be imported.
struct Row: Sendable {
    let name: String
    let strength: Int
}

// page: objects
/// Inserts on the context's queue and hands out an identifier, which may go anywhere.
func insertHero(named name: String, into context: NSManagedObjectContext) async throws -> NSManagedObjectID {
    try await context.perform {
        let hero = NSEntityDescription.insertNewObject(forEntityName: "Hero", into: context)
        hero.setValue(name, forKey: "name")
        try context.save()
        return hero.objectID
    }
}

/// Finds the object again in another context, and hands out a value.
func nameOfHero(_ objectID: NSManagedObjectID, in context: NSManagedObjectContext) async throws -> String? {
    try await context.perform {
        try context.existingObject(with: objectID).value(forKey: "name") as? String
    }
}
// end

// page: import
/// Imports rows in batches, in a context of its own, while the main queue stays free.
actor Importer {
    private let container: NSPersistentContainer
    private(set) var imported = 0

    init(_ container: NSPersistentContainer) { self.container = container }

    func run(_ rows: [Row], batch size: Int = 1_000) async throws {
        let context = container.newBackgroundContext()
        context.transactionAuthor = "import"
        for start in stride(from: 0, to: rows.count, by: size) {
            let batch = Array(rows[start..<min(start + size, rows.count)])
            imported += try await context.perform {
                for row in batch {
                    let hero = NSEntityDescription.insertNewObject(forEntityName: "Hero", into: context)
                    hero.setValue(row.name, forKey: "name")
                    hero.setValue(row.strength, forKey: "strength")
                }
                try context.save()
                // What was saved is not needed here any more.
                context.reset()
                return batch.count
            }
        }
    }
}
// end

// page: view
/// What a view shows: on the main actor the view context and its objects are used directly.
@MainActor final class HeroList {
    private let container: NSPersistentContainer
    private(set) var heroes: [NSManagedObject] = []

    init(_ container: NSPersistentContainer) { self.container = container }

    func reload() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        heroes = try container.viewContext.fetch(request)
    }

    func rename(_ hero: NSManagedObject, to name: String) throws {
        hero.setValue(name, forKey: "name")
        try container.viewContext.save()
    }

    /// Shows objects that somebody else knows by their identifiers.
    func show(_ identifiers: [NSManagedObjectID]) {
        heroes = identifiers.map(container.viewContext.object(with:))
    }
}
// end

// page: large results
/// Iterates over any number of objects in constant memory, on the context's queue.
func totalStrength(in context: NSManagedObjectContext) async throws -> Int {
    try await context.perform {
        var total = 0
        let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
        try context.objects(of: request).enumerateObjects { total += $0.value(forKey: "strength") as? Int ?? 0 }
        return total
    }
}

/// The same from anywhere: values leave the queue, objects stay.
func longestName(in context: NSManagedObjectContext) async throws -> String {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Hero")
    var longest = ""
    for try await name in context.stream(request, { $0.value(forKey: "name") as? String ?? "" })
    where name.count > longest.count {
        longest = name
    }
    return longest
}
// end

// page: waiting
/// Where a caller that is not asynchronous needs the result, it waits.
func countHeroes(in context: NSManagedObjectContext) throws -> Int {
    try context.performAndWait {
        try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Hero"))
    }
}
// end

// page: observing
/// Hears of saves elsewhere, and passes on identifiers only.
func savedIdentifiers(of context: NSManagedObjectContext) -> AsyncStream<[NSManagedObjectID]> {
    AsyncStream { continuation in
        let observer = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: nil
        ) { notification in
            // Called on the context's queue.
            let inserted = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
            continuation.yield(inserted.map(\.objectID))
        }
        nonisolated(unsafe) let held = observer
        continuation.onTermination = { _ in NotificationCenter.default.removeObserver(held) }
    }
}
// end
