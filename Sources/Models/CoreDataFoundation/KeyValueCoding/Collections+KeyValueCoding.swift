/// Foundation's collections answer keys for their elements, as Apple's do.
extension NSArray {
    /// The values of a key of all elements, `NSNull` for nil; stops for a key that an element does not have.
    public func value(forKey key: String) -> Any? { value(forKeyPath: key) }

    /// The values at the end of a key path of all elements, or a collection operator's result.
    public func value(forKeyPath keyPath: String) -> Any? { orStop { try KeyPathReader.value(at: keyPath, of: self) } }

    /// Sets a key of all elements; stops for an element that cannot be written to.
    public func setValue(_ value: Any?, forKey key: String) { assign(value, key, toAll: elementList) }
}

extension NSSet {
    /// The set of the values of a key of all elements, nil left out; stops for a key that an element does not have.
    public func value(forKey key: String) -> Any? { value(forKeyPath: key) }

    /// The set of the values at the end of a key path of all elements, or a collection operator's result.
    public func value(forKeyPath keyPath: String) -> Any? {
        orStop { try KeyPathReader.collectedValue(at: keyPath, of: self) }
    }

    /// Sets a key of all elements; stops for an element that cannot be written to.
    public func setValue(_ value: Any?, forKey key: String) { assign(value, key, toAll: elementList) }
}

extension NSOrderedSet {
    /// The ordered set of the values of a key of all elements, nil left out; stops for a key that one does not have.
    public func value(forKey key: String) -> Any? { value(forKeyPath: key) }

    /// The ordered set of the values at the end of a key path of all elements, or a collection operator's result.
    public func value(forKeyPath keyPath: String) -> Any? {
        orStop { try KeyPathReader.collectedValue(at: keyPath, of: self) }
    }

    /// Sets a key of all elements; stops for an element that cannot be written to.
    public func setValue(_ value: Any?, forKey key: String) { assign(value, key, toAll: elementList) }
}

extension NSDictionary {
    /// The value at the end of a key path whose first part is a key of the dictionary.
    public func value(forKeyPath keyPath: String) -> Any? { orStop { try KeyPathReader.value(at: keyPath, of: self) } }
}

extension NSMutableDictionary {
    /// Sets the value of a key; nil removes it.
    public func setValue(_ value: Any?, forKey key: String) {
        guard let value else { return removeObject(forKey: key) }
        setObject(value, forKey: key as NSString)
    }
}

private func assign(_ value: Any?, _ key: String, toAll elements: [Any?]) {
    for element in elements {
        guard let object = element as? any MutableKeyValueCoding else {
            stop(UnknownKeyError(key: key, opaque: element as Any).description)
        }
        object.setValue(value, forKey: key)
    }
}
