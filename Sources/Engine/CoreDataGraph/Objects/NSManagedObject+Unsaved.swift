import CoreDataStore

/// Objects that were never saved, and the values that the model gives them.
extension NSManagedObject {
    /// Makes a new object one of its entity's default values, inserted into a context if one is given.
    func startUnsaved(entity: NSEntityDescription, context: NSManagedObjectContext?) {
        guard let layout = context.flatMap({ $0.modelLayout.layout(of: entity) }) ?? EntityLayout.of(entity) else {
            stop("Entity '\(entity.name ?? "")' belongs to no model.")
        }
        guard Self.isRelated(type(of: self), layout.objectClass) else {
            stop("Objects of entity '\(entity.name ?? "")' are of class \(layout.objectClass), not \(type(of: self)).")
        }
        // The object joins its context last, when it has its default values.
        scope =
            context.map { $0.registry.scope(of: $0.temporaryBinding(layout)).outside }
            ?? ObjectScope(EntityBinding(layout: layout, store: nil, storeNumber: 0), nil)
        key = TemporaryKeys.next()
        flags = flags.intersection(.accompanied).union(.temporary)
        takeDefaultValues()
        if let context { join(context) }
    }

    /// Makes a new object one of a context's inserted ones.
    func join(_ context: NSManagedObjectContext) {
        context.checkQueue("insertion")
        guard !entity.isAbstract else {
            stop("Cannot create an instance of abstract entity '\(entity.name ?? "")': insert one of its sub-entities.")
        }
        if type(of: self) != layout.objectClass { context.registry.hasOtherClasses = true }
        let registry = context.registry
        let binding = context.temporaryBinding(layout)
        let scope = registry.scope(of: binding)
        if flags.contains(.left) { becomeNew(in: scope) } else { move(to: scope) }
        flags.formUnion(registry.memberFlags.union(.inserted))
        registry.register(self, table: binding.table, key: key)
        context.retainIfAsked(self)
        context.objectChanged(self)
        registry.journal.noteInsertion(self)
        awakeFromInsert()
    }

    /// Whether one class is the other or inherits from it, so that both number their properties alike.
    private static func isRelated(_ one: NSManagedObject.Type, _ other: NSManagedObject.Type) -> Bool {
        if one == other { return true }
        var classes: (AnyClass?, AnyClass?) = (one, other)
        while classes.0 != nil || classes.1 != nil {
            if classes.0 == other || classes.1 == one { return true }
            classes = (classes.0.flatMap(_getSuperclass), classes.1.flatMap(_getSuperclass))
        }
        return false
    }

    /// Makes an object whose record was deleted one that was never saved, and that lives among such.
    func becomeNew(in scope: ObjectScope) {
        flags = flags.intersection([.observed, .associated, .exceeding]).union(.temporary)
        move(to: scope, key: TemporaryKeys.next())
        slab = layout.defaultRow
        rowIndex = 0
    }

    /// Gives an object that was never saved the values that the model has for new ones.
    func takeDefaultValues() {
        flags.remove(.fault)
        slab = layout.defaultRow
        rowIndex = 0
        for (slot, value) in layout.transientDefaults { store(value, slot) }
        for (slot, value) in layout.runTimeDefaults { storeDefault(value.makeValue(), slot) }
    }
}
