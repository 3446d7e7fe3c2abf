import CoreDataStore

/// Objects of a store in whose place another has come with all of its records.
extension NSPersistentStoreCoordinator {
    /// Keeps the objects of contexts in use under a store that has taken over their records.
    ///
    /// They have other identifiers from now on. Their values stay as they were read, and so do unsaved changes: a copy
    /// keeps the versions of rows, which a save compares. For a large value, however, a row has its place in the former
    /// store, so objects that may have one are read again, on each context's queue before any later request.
    /// Call it while the store is not locked: a child on whose queue the caller is asks its parent, which may be reading.
    func continueObjects(under store: NSPersistentStore) {
        NSManagedObject.identifiers.removeAll()
        guard modelLayout.entities.contains(where: \.hasLargeValues) else { return }
        onEachContext { $0.continueObjects(under: store) }
    }

    /// Lets new objects that the program has assigned to a store go to the one that takes its place.
    func reassignObjects(of former: NSPersistentStore, to copy: NSPersistentStore) {
        onEachContext { context in
            for object in context.registry.allObjects() where object.assignedStore === former {
                object.working?.assignedStore = copy
            }
        }
    }

    /// Runs a block for every context and its children, each on its queue: at once where that is the current one, else later.
    func onEachContext(_ body: @escaping @Sendable (NSManagedObjectContext) -> Void) {
        let families = contexts.members.map(\.descendants)
        // First those that wait for their turn, the parents before their children, so that a child which reads at once
        // finds its parent's objects renewed.
        for context in families.joined() where !context.queue.isCurrent {
            context.queue.async { [weak context] in context.map(body) }
        }
        for context in families.joined() where context.queue.isCurrent { body(context) }
    }
}

extension NSManagedObjectContext {
    /// The context and its children, and theirs; each before its own children.
    fileprivate var descendants: [NSManagedObjectContext] { [self] + family.members.flatMap(\.descendants) }

    fileprivate func continueObjects(under store: NSPersistentStore) {
        for object in registry.allObjects() where object.binding.store === store && object.layout.hasLargeValues {
            refresh(object, mergeChanges: object.hasChanges)
        }
    }
}

extension EntityLayout {
    /// Whether rows can name files of large values.
    fileprivate var hasLargeValues: Bool {
        slots.contains { slot in
            if case .attribute(_, .composite) = slot.content { return true }
            return SlotTraits(slot.content).contains(.large)
        }
    }
}
