import CoreData
import StoreContract

/// A context on a store, and its descendants.
struct Family {
    let stack: Stack
    let parent: NSManagedObjectContext

    init(_ kind: StoreKind) throws {
        stack = try Stack(UndoModel.make(), kind: kind)
        parent = SettlingContext(concurrencyType: .privateQueueConcurrencyType)
        parent.persistentStoreCoordinator = stack.coordinator
    }

    func child(of context: NSManagedObjectContext? = nil) -> NSManagedObjectContext {
        let child = SettlingContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context ?? parent
        ((context ?? parent) as? SettlingContext)?.note(child)
        return child
    }

    /// Waits until the contexts know what their ancestors have told them.
    func settle(_ contexts: NSManagedObjectContext...) { for context in contexts { context.performAndWait {} } }
}

/// A context for tests that use it from their own thread.
///
/// What it tells its children of new identifiers arrives on their queues, where the test would not see whether it has;
/// so it waits for that.
final class SettlingContext: NSManagedObjectContext, @unchecked Sendable {
    private struct Child {
        weak let context: SettlingContext?
    }
    private var children: [Child] = []

    func note(_ child: SettlingContext) { children.append(Child(context: child)) }

    override func save() throws {
        defer { settle() }
        try super.save()
    }

    override func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        defer { settle() }
        try super.obtainPermanentIDs(for: objects)
    }

    private func settle() {
        for child in children.compactMap(\.context) {
            child.performAndWait {}
            child.settle()
        }
    }
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
