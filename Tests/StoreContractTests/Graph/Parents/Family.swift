import CoreData
import CoreDataTestSupport

/// A context on a store, and its descendants.
struct Family {
    let stack: Stack
    let parent: NSManagedObjectContext

    init(_ kind: StoreKind) throws {
        stack = try Stack(UndoModel.make(), kind: kind)
        parent = stack.context
    }

    func child(of context: NSManagedObjectContext? = nil) -> NSManagedObjectContext {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context ?? parent
        return child
    }

    /// Waits until the contexts know what their ancestors have told them.
    func settle(_ contexts: NSManagedObjectContext...) { for context in contexts { context.performAndWait {} } }
}

extension NSManagedObjectContext {
    func make(_ name: String, _ values: [String: Any] = [:]) throws -> Item {
        guard let item = insert("Item", values.merging(["name": name]) { $1 }) as? Item else { throw Missing(name) }
        return item
    }

    func find(_ name: String) throws -> Item? {
        try all("Item", NSPredicate(format: "name == %@", name)).first as? Item
    }

    func have(_ name: String) throws -> Item {
        guard let item = try find(name) else { throw Missing(name) }
        return item
    }

    func names() throws -> [String] { try all("Item").compactMap { ($0 as? Item)?.name }.sorted() }
}

struct Missing: Error {
    let name: String
    init(_ name: String) { self.name = name }
}
