import CoreDataStore

/// Objects that were never saved, and their default values.
extension NSManagedObject {
    /// Initializes a new object with its entity's default values, and inserts it into a context if one is given.
    func startUnsaved(entity: NSEntityDescription, context: NSManagedObjectContext?) {
        guard let layout = context?.layout(of: entity) ?? EntityLayout.of(entity) else {
            stop("Entity '\(entity.name ?? "")' belongs to no model.")
        }
        guard Self.isRelated(type(of: self), layout.objectClass) else {
            stop("Objects of entity '\(entity.name ?? "")' are of class \(layout.objectClass), not \(type(of: self)).")
        }
        // The object is moved into its context after it has its default values.
        let scope = context?.temporaryScope(layout)
        self.scope = scope?.outside ?? ObjectScope(EntityBinding(layout: layout, store: nil, storeNumber: 0), nil)
        key = TemporaryKeys.next()
        flags = flags.intersection(.accompanied).union(.temporary)
        takeDefaultValues()
        guard let context, let scope else { return }
        requireJoining(context)
        // No other thread knows the object yet.
        self.scope = scope
        becomeInserted(in: context)
    }

    /// Inserts an object that was never saved, or whose record was deleted, into a context.
    func join(_ context: NSManagedObjectContext) {
        requireJoining(context)
        let scope = context.temporaryScope(layout)
        if flags.contains(.left) { becomeNew(in: scope) } else { move(to: scope) }
        becomeInserted(in: context)
    }

    private func requireJoining(_ context: NSManagedObjectContext) {
        context.checkQueue("insertion")
        guard !layout.isAbstract else {
            stop("Cannot create an instance of abstract entity '\(entity.name ?? "")': insert one of its sub-entities.")
        }
    }

    private func becomeInserted(in context: NSManagedObjectContext) {
        let (registry, binding) = (context.registry, binding)
        if type(of: self) != binding.layout.objectClass { registry.hasOtherClasses = true }
        flags.formUnion(registry.memberFlags.union(.inserted))
        registry.register(self, table: binding.table, key: key)
        context.retainIfAsked(self)
        context.objectChanged(self)
        registry.journal.noteInsertion(self)
        awakeFromInsert()
    }

    /// Whether the classes are equal or one inherits from the other, so that both have the same numbers of properties.
    private static func isRelated(_ one: NSManagedObject.Type, _ other: NSManagedObject.Type) -> Bool {
        if one == other { return true }
        var classes: (AnyClass?, AnyClass?) = (one, other)
        while classes.0 != nil || classes.1 != nil {
            if classes.0 == other || classes.1 == one { return true }
            classes = (classes.0.flatMap(_getSuperclass), classes.1.flatMap(_getSuperclass))
        }
        return false
    }

    /// Turns an object whose record was deleted into one that was never saved, with a temporary identifier.
    func becomeNew(in scope: ObjectScope) {
        flags = flags.intersection([.observed, .associated, .exceeding]).union(.temporary)
        move(to: scope, key: TemporaryKeys.next())
        slab = layout.defaultRow
        rowIndex = 0
    }

    /// Sets the values of an object that was never saved to the model's default values.
    func takeDefaultValues() {
        flags.remove(.fault)
        slab = layout.defaultRow
        rowIndex = 0
        guard layout.hasComputedDefaults else { return }
        for (slot, value) in layout.transientDefaults { store(value, slot) }
        for (slot, value) in layout.runTimeDefaults { storeDefault(value.makeValue(), slot) }
    }
}
