import CoreDataStore

/// The observers of all objects that have any: objects without observers carry no place for them.
///
/// Invariant: an object has the flag `.observed` exactly while it has an entry, which its `deinit` takes out before its
/// memory, and so its identity, can become another's.
enum ObserverTable {
    // What an entry holds is used only on the queue of its object.
    private static let entries = SideTable<Transferred<ObjectObservers>>()

    /// The observers of an object; nil without observers.
    static func entry(of object: NSManagedObject) -> ObjectObservers? {
        guard object.flags.contains(.observed) else { return nil }
        return entries[object]?.value
    }

    /// The entry of an object, made now if it had none.
    static func madeEntry(of object: NSManagedObject) -> ObjectObservers {
        if let known = entry(of: object) { return known }
        object.flags.insert(.observed)
        return entries.value(of: object, or: Transferred(ObjectObservers())).value
    }

    /// Removes an entry without observers.
    static func removeEntry(of object: NSManagedObject) {
        object.flags.remove(.observed)
        entries.remove(object)
    }

    /// Removes the entry of an object that is deallocated, on any thread.
    ///
    /// Observations that look at other objects end on the queue to which those belong.
    static func forget(_ object: NSManagedObject) {
        guard let entry = entries.remove(object)?.value else { return }
        guard entry.keys?.reachesOthers == true, let context = object.registry?.context, !context.queue.isCurrent
        else { return }
        let parting = Transferred(entry)
        context.queue.async { withExtendedLifetime(parting) {} }
    }
}
