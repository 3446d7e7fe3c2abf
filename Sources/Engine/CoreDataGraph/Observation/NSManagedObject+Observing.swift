import CoreDataStore

/// Observation by key: `observe(_:options:changeHandler:)`, `addObserver(_:forKeyPath:options:context:)`,
/// `changes(for:)`.
///
/// Observations do not retain the object. Observers are called by the code that changes the object, on the queue of its
/// context; observations must also begin and end on that queue. They continue when the object becomes a fault, is
/// saved, or its context is reset.
extension NSManagedObject: KeyValueObserving {
    /// The observers of the object; nil without observers. The library sets it.
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

    /// A function that performs work on the queue of the object's context, if the context still exists; nil for an
    /// object without a context.
    public var observationQueue: (@Sendable (@escaping @Sendable () -> Void) -> Void)? {
        guard let registry else { return nil }
        return { [weak registry] work in registry?.context?.perform(work) }
    }

    /// Called by an accessor before it changes members of a to-many relationship.
    public func willChangeValue(
        forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
    ) {
        announce(.set(mutationKind, objects), key)
    }

    /// Called by an accessor after it has changed members of a to-many relationship.
    public func didChangeValue(
        forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
    ) {
        answer(key)
    }

    /// Called by an accessor before it changes members of an ordered to-many relationship.
    public func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        announce(changeKind == .setting ? .setting : .indexed(changeKind, indexes), key)
    }

    /// Called by an accessor after it has changed members of an ordered to-many relationship.
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
    /// Returns a sequence of the changes of the values at typed key paths until the object leaves its context.
    ///
    /// Stops if the class's property table has no name for a key path. A task that reads the sequence on another queue
    /// does not receive values that are managed objects.
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
