import CoreDataStore

/// Keeps contexts' objects in use after a copy has replaced their store in the coordinator and kept all keys.
extension NSPersistentStoreCoordinator {
    /// Makes the objects of all contexts belong to `store`, which has taken over the records of their former store.
    ///
    /// The objects get new identifiers. Their values and unsaved changes remain, since the copy has the same row
    /// versions, which a save compares. But a row refers to a large value by its place in the former store, so objects
    /// that may have large values are refreshed, on each context's queue, before later blocks on the queue run. Call it
    /// while the store is not locked: a child context on whose queue the caller runs asks its parent, which may be
    /// reading.
    func continueObjects(under store: NSPersistentStore) {
        NSManagedObject.identifiers.removeAll()
        guard modelLayout.entities.contains(where: \.hasLargeValues) else { return }
        onEachContext { $0.continueObjects(under: store) }
    }

    /// Assigns the new objects that the program assigned to `former` to the copy that replaces it.
    func reassignObjects(of former: NSPersistentStore, to copy: NSPersistentStore) {
        onEachContext { context in
            for object in context.registry.allObjects() where object.assignedStore === former {
                object.working?.assignedStore = copy
            }
        }
    }

    /// Runs a block for every context and its descendants, each on its queue: immediately if the caller is on that
    /// queue, otherwise asynchronously.
    func onEachContext(_ body: @escaping @Sendable (NSManagedObjectContext) -> Void) {
        let families = contexts.members.map(\.descendants)
        // The asynchronous blocks are enqueued first, those of parents before those of their children: a child that
        // reads immediately then finds its parent's objects refreshed.
        for context in families.joined() where !context.queue.isCurrent {
            context.queue.async { [weak context] in context.map(body) }
        }
        for context in families.joined() where context.queue.isCurrent { body(context) }
    }
}

extension NSManagedObjectContext {
    /// The context and all its descendants; each context before its children.
    fileprivate var descendants: [NSManagedObjectContext] { [self] + family.members.flatMap(\.descendants) }

    fileprivate func continueObjects(under store: NSPersistentStore) {
        for object in registry.allObjects() where object.binding.store === store && object.layout.hasLargeValues {
            refresh(object, mergeChanges: object.hasChanges)
        }
    }
}

extension EntityLayout {
    /// Whether the entity's rows can refer to large values, which are kept outside the rows.
    fileprivate var hasLargeValues: Bool {
        slots.contains { slot in
            if case .attribute(_, .composite) = slot.content { return true }
            return SlotTraits(slot.content).contains(.large)
        }
    }
}
