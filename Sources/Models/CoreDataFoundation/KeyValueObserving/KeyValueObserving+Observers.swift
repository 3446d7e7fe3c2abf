extension KeyValueObserving {
    /// Calls a closure at each change of the value at a typed key path, until the token is released.
    ///
    /// The object retains the closure and passes itself as an argument, so that the closure need not capture it. Stops
    /// the process for a key path that the class cannot name.
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        guard let name = type(of: self).key(of: keyPath) else {
            stop("\(type(of: self)) has no name for the key path \(keyPath), so it cannot be observed")
        }
        let observation = KeyObservation(of: name, on: self, options: options) { object in
            (object as? Self)?[keyPath: keyPath]
        } deliver: { object, change in
            guard let object = object as? Self else { return }
            changeHandler(object, NSKeyValueObservedChange(change))
        }
        let token = NSKeyValueObservation(observation)
        observation.start()
        return token
    }

    /// Notifies an observer of each change of the value at a dotted key path.
    ///
    /// The observer is not retained; when it is deallocated, the observation ends, where Apple's crashes. Adding the
    /// same observer twice notifies it twice.
    public func addObserver(
        _ observer: any KeyValueObserver, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
        context: UnsafeMutableRawPointer? = nil
    ) {
        let identity = KeyObservation.Observer(identity: ObjectIdentifier(observer), context: context)
        let observation = KeyObservation(of: keyPath, on: self, options: options, observer: identity) { object in
            object.observedValue(atPath: keyPath)
        } deliver: { [weak observer] object, change in
            guard let observer else {
                object.keyObservers?.abandonment.raise()
                return
            }
            observer.observeValue(forKeyPath: keyPath, of: object, change: change.dictionary, context: context)
        }
        observation.isWanted = { [weak observer] in observer != nil }
        observation.start()
    }

    /// Ends the observation of a key path that an observer added last; does nothing without one.
    public func removeObserver(_ observer: any KeyValueObserver, forKeyPath keyPath: String) {
        keyObservers?.lastObservation(by: observer) { $0.keyPath == keyPath }?.cancel()
    }

    /// Ends the observation of a key path that an observer added last with this context; does nothing without one.
    public func removeObserver(
        _ observer: any KeyValueObserver, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
    ) {
        keyObservers?.lastObservation(by: observer) { $0.keyPath == keyPath && $0.observer?.context == context }?
            .cancel()
    }

    /// The value at a key path, for observers: stops the process for an unknown key, and is nil after any other error.
    func observedValue(atPath keyPath: String) -> Any? {
        do {
            return try codedValue(forKeyPath: keyPath)
        } catch let error as UnknownKeyError {
            stop(error.description)
        } catch {
            return nil
        }
    }

    /// The registry of the object's observers; made if the object does not have one.
    package var madeKeyObservers: KeyObserverRegistry {
        if let keyObservers { return keyObservers }
        let registry = KeyObserverRegistry(owner: self)
        keyObservers = registry
        return registry
    }
}
