extension KeyValueObserving {
    /// Notifies observers that a property is about to change.
    public func willChangeValue(forKey key: String) { keyObservers?.willChange(key, by: .setting) }

    /// Notifies observers that a property has changed; ends the last call of `willChangeValue(forKey:)` for the key.
    public func didChangeValue(forKey key: String) { keyObservers?.didChange(key) }

    /// Notifies observers that the property of a typed key path is about to change; stops the process if the class does
    /// not name the key path.
    public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        willChangeValue(forKey: observedKey(of: keyPath))
    }

    /// Notifies observers that the property of a typed key path has changed; stops the process if the class does not
    /// name the key path.
    public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
        didChangeValue(forKey: observedKey(of: keyPath))
    }

    private func observedKey(of keyPath: AnyKeyPath) -> String {
        guard let key = type(of: self).key(of: keyPath) else {
            stop("\(type(of: self)) has no name for the key path \(keyPath), so no observer can be notified of it")
        }
        return key
    }

    /// Notifies observers that elements of a set are about to change.
    public func willChangeValue(
        forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
    ) {
        keyObservers?.willChange(key, by: .set(mutationKind, objects))
    }

    /// Notifies observers that elements of a set have changed.
    public func didChangeValue(
        forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
    ) {
        keyObservers?.didChange(key)
    }

    /// Notifies observers that elements of a list are about to be inserted, removed or replaced.
    public func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        keyObservers?.willChange(key, by: changeKind == .setting ? .setting : .indexed(changeKind, indexes))
    }

    /// Notifies observers that elements of a list have been inserted, removed or replaced.
    public func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        keyObservers?.didChange(key)
    }

    /// Calls a closure that sets a property, and notifies observers unless `automaticallyNotifiesObservers(forKey:)` is
    /// false.
    ///
    /// Observers are also notified when the change throws.
    public func changeValue<Result>(forKey key: String, _ change: () throws -> Result) rethrows -> Result {
        guard Self.automaticallyNotifiesObservers(forKey: key) else { return try change() }
        willChangeValue(forKey: key)
        defer { didChangeValue(forKey: key) }
        return try change()
    }
}
