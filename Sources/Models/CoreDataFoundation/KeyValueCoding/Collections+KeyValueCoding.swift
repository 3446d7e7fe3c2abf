/// Key-value coding of Foundation's collections, which ask their elements for the values, as Apple's do.
extension NSArray {
    /// An array of the elements' values of a key, with `NSNull` for nil; stops the process if an element lacks the key.
    public func value(forKey key: String) -> Any? { value(forKeyPath: key) }

    /// An array of the elements' values at a key path, with `NSNull` for nil, or the result of a collection operator.
    public func value(forKeyPath keyPath: String) -> Any? { orStop { try KeyPathReader.value(at: keyPath, of: self) } }

    /// Sets the value of a key in all elements; stops the process for an element that is not `MutableKeyValueCoding`.
    public func setValue(_ value: Any?, forKey key: String) { assign(value, key, toAll: elementList) }
}

extension NSSet {
    /// A set of the elements' values of a key, without nil; stops the process if an element lacks the key.
    public func value(forKey key: String) -> Any? { value(forKeyPath: key) }

    /// A set of the elements' values at a key path, without nil, or the result of a collection operator.
    public func value(forKeyPath keyPath: String) -> Any? {
        orStop { try KeyPathReader.collectedValue(at: keyPath, of: self) }
    }

    /// Sets the value of a key in all elements; stops the process for an element that is not `MutableKeyValueCoding`.
    public func setValue(_ value: Any?, forKey key: String) { assign(value, key, toAll: elementList) }
}

extension NSOrderedSet {
    /// An ordered set of the elements' values of a key, without nil; stops the process if an element lacks the key.
    public func value(forKey key: String) -> Any? { value(forKeyPath: key) }

    /// An ordered set of the elements' values at a key path, without nil, or the result of a collection operator.
    public func value(forKeyPath keyPath: String) -> Any? {
        orStop { try KeyPathReader.collectedValue(at: keyPath, of: self) }
    }

    /// Sets the value of a key in all elements; stops the process for an element that is not `MutableKeyValueCoding`.
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
