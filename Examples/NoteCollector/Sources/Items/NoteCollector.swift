import CoreData

/// The collections and notes of a store, and what the program's screens do with them.
public struct NoteCollector: Sendable {
    /// The title of the outermost list.
    public static let title = "Note Collector"
    public let container: NSPersistentContainer
    public var context: NSManagedObjectContext { container.viewContext }

    /// Opens a store; where there is none, `filled` is copied to its place first.
    ///
    /// - Throws: what copying and loading the store throw.
    public init(at url: URL, filled: URL? = nil) throws {
        container = NSPersistentContainer(name: "NoteCollector")
        if let filled, !FileManager.default.fileExists(atPath: url.path) {
            try container.persistentStoreCoordinator.replacePersistentStore(
                at: url, withPersistentStoreFrom: filled, type: .sqlite)
        }
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// The list of what is in a collection, or of what is in none.
    ///
    /// - Throws: what `performFetch()` throws.
    public func list(of collection: AWCollection?) throws -> NSFetchedResultsController<AWAbstractItem> {
        let fetchRequest: NSFetchRequest<AWAbstractItem> = AWAbstractItem.fetchRequest()
        fetchRequest.predicate =
            if let collection {
                NSPredicate(format: "superCollection = %@", collection)
            } else {
                NSPredicate(format: "superCollection = nil")
            }
        fetchRequest.sortDescriptors = [NSSortDescriptor(key: "itemName", ascending: true)]
        fetchRequest.fetchBatchSize = 20
        let controller = NSFetchedResultsController(
            fetchRequest: fetchRequest, managedObjectContext: context, sectionNameKeyPath: nil,
            cacheName: collection == nil ? "Root" : nil)
        try controller.performFetch()
        return controller
    }

    /// Notes in the order of their names, a few at a time.
    ///
    /// - Throws: what `fetch(_:)` throws.
    public func notes(after offset: Int, limit: Int = 10) throws -> [AWNote] {
        let fetchRequest: NSFetchRequest<AWNote> = AWNote.fetchRequest()
        fetchRequest.sortDescriptors = [NSSortDescriptor(key: "itemName", ascending: true)]
        fetchRequest.fetchOffset = offset
        fetchRequest.fetchLimit = limit
        return try context.fetch(fetchRequest)
    }

    /// Adds a note and saves.
    ///
    /// - Throws: what `save()` throws; nothing is added then.
    @discardableResult
    public func addNote(_ name: String = "New Note", to collection: AWCollection?) throws -> AWNote {
        try add(AWNote(context: context), name, to: collection)
    }

    /// Adds a collection and saves.
    ///
    /// - Throws: what `save()` throws; nothing is added then.
    @discardableResult
    public func addCollection(_ name: String = "New Collection", to collection: AWCollection?) throws -> AWCollection {
        try add(AWCollection(context: context), name, to: collection)
    }

    private func add<Item: AWAbstractItem>(_ item: Item, _ name: String, to collection: AWCollection?) throws -> Item {
        item.itemName = name
        collection?.addToSubItems(item)
        try save()
        return item
    }

    /// Changes something and saves.
    ///
    /// - Throws: what `save()` throws; the change is taken back then.
    public func change(_ change: () -> Void) throws {
        change()
        try save()
    }

    /// Deletes an item, with all that is in it, and saves.
    ///
    /// - Throws: what `save()` throws; the item stays then.
    public func delete(_ item: AWAbstractItem) throws {
        context.delete(item)
        try save()
    }

    /// The item that names lead to from the outermost list.
    ///
    /// - Throws: what `fetch(_:)` throws.
    public func item(at path: [String]) throws -> AWAbstractItem? {
        var found: AWAbstractItem?
        for name in path {
            guard found == nil || found is AWCollection else { return nil }
            let items = try list(of: found as? AWCollection).fetchedObjects ?? []
            found = items.first { $0.itemName == name }
            if found == nil { return nil }
        }
        return found
    }

    private func save() throws {
        do {
            try context.save()
        } catch {
            context.rollback()
            throw error
        }
    }
}
