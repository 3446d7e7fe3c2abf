extension KeyValueCoding {
    /// The value at the end of a dotted key path, which may have collection operators such as `powers.@count`; nil if a
    /// step before the end is nil.
    ///
    /// If a step is a set, the value is an `NSSet` of the elements' values, for an ordered set an `NSOrderedSet`, both
    /// without nil; for an array it is an array with `NSNull` for nil.
    /// Stops the process with a message that names the key if a key is unknown.
    public func value(forKeyPath keyPath: String) -> Any? {
        orStop { try codedValue(forKeyPath: keyPath) }
    }

    /// The value at the end of a dotted key path; nil where a step is nil.
    ///
    /// - Throws: `UnknownKeyError` for the step that its owner does not have, `ExpressionError` for an operator that
    ///   fails.
    public func codedValue(forKeyPath keyPath: String) throws -> Any? {
        try KeyPathReader.collectedValue(at: keyPath, of: self)
    }

    /// The values of several keys; a nil value is `NSNull`, as in Apple's.
    public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        var values: [String: Any] = [:]
        for key in keys { values[key] = value(forKey: key) ?? NSNull() }
        return values
    }
}

extension MutableKeyValueCoding {
    /// Sets the property at the end of a dotted key path; nothing happens where a step before it is nil.
    ///
    /// A path into a composite attribute sets the attribute to a copy of its dictionary, or to a new one, with the
    /// value.
    /// Stops the process for an unknown key or a step that cannot be written to.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        orStop { try setCodedValue(value, forKeyPath: keyPath) }
    }

    /// Sets the property at the end of a dotted key path; nothing happens where a step before it is nil.
    ///
    /// A path into a composite attribute sets the attribute to a copy of its dictionary, or to a new one, with the
    /// value.
    /// - Throws: `UnknownKeyError` for the step that its owner does not have or that cannot be written to; what the
    ///   owner throws for a value of another type.
    public func setCodedValue(_ value: Any?, forKeyPath keyPath: String) throws {
        guard let dot = keyPath.lastIndex(of: ".") else { return try setCodedValue(value, forKey: keyPath) }
        if let place = try ElementPlace(of: keyPath, from: self) {
            return try place.owner.setElement(value, at: place.path, of: place.key)
        }
        let last = String(keyPath[keyPath.index(after: dot)...])
        guard let owner = try codedValue(forKeyPath: String(keyPath[..<dot])) else { return }
        guard let target = owner as? any MutableKeyValueCoding else {
            throw UnknownKeyError(key: last, opaque: owner)
        }
        try target.setCodedValue(value, forKey: last)
    }

    /// Sets several keys; `NSNull` stands for nil, as in Apple's.
    public func setValuesForKeys(_ values: [String: Any]) {
        for (key, value) in values { setValue(value is NSNull ? nil : value, forKey: key) }
    }
}
