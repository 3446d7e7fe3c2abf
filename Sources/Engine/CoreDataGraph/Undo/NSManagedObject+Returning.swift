import CoreDataStore

/// Leaving a context by an undo and coming back by a redo.
extension NSManagedObject {
    /// Leaves the context, keeping all values for the way back.
    ///
    /// Stays in the context's lists of changed objects until these are next gone through.
    func withdraw() {
        registry?.context?.forgetRetained(self)
        unregister()
        flags.remove([.inserted, .updated, .deleted, .deletionPropagated, .newborn])
        flags.insert(.withdrawn)
        moveOut()
    }

    /// Becomes one of a context's inserted objects again.
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
