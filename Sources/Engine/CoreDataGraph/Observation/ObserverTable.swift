import CoreDataStore

/// The table of observers of all observed objects, so that objects without observers need no storage for them.
///
/// Invariant: an object has the flag `.observed` exactly while it has an entry. Its `deinit` removes the entry before
/// the object's memory, and with it its identity, can be reused.
enum ObserverTable {
    // An entry is used only on the queue of its object.
    private static let entries = SideTable<Transferred<ObjectObservers>>()

    /// The observers of an object; nil without observers.
    static func entry(of object: NSManagedObject) -> ObjectObservers? {
        guard object.flags.contains(.observed) else { return nil }
        return entries[object]?.value
    }

    /// Returns the entry of an object, and makes one if it has none.
    static func madeEntry(of object: NSManagedObject) -> ObjectObservers {
        if let known = entry(of: object) { return known }
        object.flags.insert(.observed)
        return entries.value(of: object, or: Transferred(ObjectObservers())).value
    }

    /// Removes an entry that has neither observers nor a registrar.
    static func removeEntry(of object: NSManagedObject) {
        object.flags.remove(.observed)
        entries.remove(object)
    }

    /// Removes the entry of an object that is deallocated, on any thread.
    ///
    /// If an observation observes other objects too, the entry is released on the queue of their context.
    static func forget(_ object: NSManagedObject) {
        guard let entry = entries.remove(object)?.value else { return }
        guard entry.keys?.reachesOthers == true, let context = object.registry?.context, !context.queue.isCurrent
        else { return }
        let parting = Transferred(entry)
        context.queue.async { withExtendedLifetime(parting) {} }
    }
}
