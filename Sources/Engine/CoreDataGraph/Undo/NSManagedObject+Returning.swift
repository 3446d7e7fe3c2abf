import CoreDataStore

/// Removing an object from its context by an undo, and bringing it back by a redo.
extension NSManagedObject {
    /// Removes the object from its context; it keeps all values, for a redo.
    ///
    /// The context's lists of changed objects contain the object until they are next filtered.
    func withdraw() {
        registry?.context?.forgetRetained(self)
        unregister()
        flags.remove([.inserted, .updated, .deleted, .deletionPropagated, .newborn])
        flags.insert(.withdrawn)
        moveOut()
    }

    /// Puts the object back into a context as an inserted object.
    func reenter(_ context: NSManagedObjectContext) {
        flags.remove(.withdrawn)
        if type(of: self) != layout.objectClass { context.registry.hasOtherClasses = true }
        move(
            to: context.registry.scope(
                of: flags.contains(.temporary) ? context.temporaryBinding(layout) : binding))
        flags.formUnion(context.registry.memberFlags.union(.inserted))
        context.registry.register(self, table: binding.table, key: key)
        context.retainIfAsked(self)
        context.registry.journal.noteInsertion(self)
        context.objectChanged(self)
    }
}
