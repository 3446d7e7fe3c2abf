import CoreData

/// Looks for files that somebody changed by hand, and brings contexts up to date.
///
/// Used by one thread at a time; call `look()` when a program wakes up, or from a timer.
final class FolderWatch {
    private let store: JSONFolderStore
    private let contexts: [NSManagedObjectContext]
    private var known: [String: UInt64]

    init(_ store: JSONFolderStore, contexts: [NSManagedObjectContext]) {
        self.store = store
        self.contexts = contexts
        known = store.snapshot()
    }

    /// Merges what has changed since the last look into the contexts; gives the names of the records.
    ///
    /// Unsaved changes of the contexts stay; a save that would write over others is a conflict.
    @discardableResult
    func look() -> [String] {
        let present = store.snapshot()
        var changes: [AnyHashable: [NSManagedObjectID]] = [:]
        var names: [String] = []
        func note(_ key: String, _ found: [String]) {
            names += found
            changes[key] = found.compactMap(store.identifier(named:))
        }
        note(NSInsertedObjectsKey, present.keys.filter { known[$0] == nil })
        note(NSUpdatedObjectsKey, present.keys.filter { known[$0] != nil && known[$0] != present[$0] })
        note(NSDeletedObjectsKey, known.keys.filter { present[$0] == nil })
        known = present
        if !names.isEmpty { NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: contexts) }
        return names.sorted()
    }
}
