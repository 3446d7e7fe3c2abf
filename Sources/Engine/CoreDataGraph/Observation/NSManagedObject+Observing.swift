import CoreDataStore

/// Observation by key: `observe(_:options:changeHandler:)`, `addObserver(_:forKeyPath:options:context:)`, `changes(for:)`.
///
/// No observation retains the object. The code that changes it notifies observers, on the queue of its context, which is
/// also where observations begin and end. They outlast a re-fault, a save and a reset.
extension NSManagedObject: KeyValueObserving {
    /// The observers of the object; nil without observers. Maintained by the library.
    public var keyObservers: KeyObserverRegistry? {
        get { ObserverTable.entry(of: self)?.keys }
        set {
            if let newValue {
                ObserverTable.madeEntry(of: self).keys = newValue
            } else if let entry = ObserverTable.entry(of: self) {
                entry.dropKeys()
                if entry.registrar == nil { ObserverTable.removeEntry(of: self) }
            }
        }
    }

    /// Performs work on the queue of the object's context, as long as that is there; nil for an object without a context.
    public var observationQueue: (@Sendable (@escaping @Sendable () -> Void) -> Void)? {
        guard let registry else { return nil }
        return { [weak registry] work in registry?.context?.perform(work) }
    }

    /// Announces a change of elements of a to-many relationship, by an accessor before it makes it.
    public func willChangeValue(
        forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
    ) {
        announce(.set(mutationKind, objects), key)
    }

    /// Reports a change of elements of a to-many relationship, by an accessor after it has made it.
    public func didChangeValue(
        forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
    ) {
        answer(key)
    }

    /// Announces a change of elements of an ordered to-many relationship, by an accessor before it makes it.
    public func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        announce(changeKind == .setting ? .setting : .indexed(changeKind, indexes), key)
    }

    /// Reports a change of elements of an ordered to-many relationship, by an accessor after it has made it.
    public func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        answer(key)
    }

    private func announce(_ mutation: KeyMutation, _ key: String) {
        fireFaultIfNeeded()
        notifyWillChange(of: key, by: mutation)
        if let change = change(ofKey: key) { willChange(change) }
    }

    private func answer(_ key: String) {
        if let change = change(ofKey: key) { didChange(change) }
        notifyDidChange(of: key)
    }
}

extension KeyValueObserving where Self: NSManagedObject {
    /// The changes of the values at some typed key paths, from now on, until the object leaves its context.
    ///
    /// A key path needs a name in the class's property table. A reader of the changes on another queue receives no managed
    /// objects out of them.
    public func changes(of keyPaths: PartialKeyPath<Self>...) -> KeyChanges {
        changes(
            for: keyPaths.map { keyPath in
                guard let name = Self.key(of: keyPath) ?? type(of: self).key(of: keyPath) else {
                    stop("\(type(of: self)) has no name for the key path \(keyPath), so it cannot be observed")
                }
                return name
            })
    }
}
