import CoreDataStore
import Synchronization

/// The contexts of a coordinator that take over every save of another one; holds none of them.
final class MergingContexts: Sendable {
    private struct Member {
        weak var context: NSManagedObjectContext?
    }

    private let members = Mutex<[Member]>([])

    func add(_ context: NSManagedObjectContext) {
        members.withLock { members in
            members.removeAll { $0.context == nil || $0.context === context }
            members.append(Member(context: context))
        }
    }

    func remove(_ context: NSManagedObjectContext) {
        members.withLock { members in members.removeAll { $0.context == nil || $0.context === context } }
    }

    /// Whether there is a context that takes over the saves of others.
    var hasMembers: Bool { members.withLock { $0.contains { $0.context != nil } } }

    /// Lets all of them merge what was changed outside of the coordinator later, each on its queue.
    func announce(_ changes: SavedChanges) {
        for context in members.withLock({ $0.compactMap(\.context) }) { context.mergeLater(changes) }
    }

    /// The contexts other than one.
    private func others(than context: NSManagedObjectContext) -> [NSManagedObjectContext] {
        members.withLock { members in members.compactMap { $0.context === context ? nil : $0.context } }
    }

    /// Lets the others merge a save later, each on its queue.
    ///
    /// Called while the store is held and the saved objects are still marked, so that saves arrive in their order.
    /// `alsoChanged` are rows that the store gave other values by itself.
    func announce(_ saved: [NSManagedObject], _ alsoChanged: [RowAddress], by context: NSManagedObjectContext) {
        let others = others(than: context)
        guard !others.isEmpty else { return }
        var changes = SavedChanges(ChangeSets(saved))
        changes.updated += alsoChanged.map(\.objectID)
        for other in others { other.mergeLater(changes) }
    }
}

extension ContextFamily {
    /// Lets the children that ask for it merge what their parent has saved, or another child of it has saved into it.
    func announce(_ changes: SavedChanges, by context: NSManagedObjectContext) {
        for child in members where child !== context && child.automaticallyMergesChangesFromParent {
            child.mergeLater(changes)
        }
    }
}

extension NSManagedObjectContext {
    fileprivate func mergeLater(_ changes: SavedChanges) {
        queue.async { [weak self] in self?.merge(changes) }
    }

    /// Lets the coordinator know whether the context is to hear of the saves of others.
    ///
    /// A parent knows its children anyway.
    func updateAutomaticMerging(former: NSPersistentStoreCoordinator?) {
        guard parent == nil else {
            former?.mergingContexts.remove(self)
            former?.updateMonitors()
            return
        }
        if former !== persistentStoreCoordinator { former?.mergingContexts.remove(self) }
        if automaticallyMergesChangesFromParent {
            persistentStoreCoordinator?.mergingContexts.add(self)
        } else {
            persistentStoreCoordinator?.mergingContexts.remove(self)
        }
        former?.updateMonitors()
        persistentStoreCoordinator?.updateMonitors()
    }
}
