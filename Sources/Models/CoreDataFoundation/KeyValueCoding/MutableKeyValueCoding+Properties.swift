extension MutableKeyValueCoding {
    /// Sets a property that a key path leads to, for conformances written with key paths.
    ///
    /// nil and `NSNull` are nil of an optional type; a number becomes another type of number that can hold it.
    /// - Throws: `UnknownKeyError` for a property that is read-only, `ExpressionError` for a value of another type.
    public func setCodedValue<Value>(_ value: Any?, forKey key: String, at keyPath: KeyPath<Self, Value>) throws {
        guard let path = keyPath as? ReferenceWritableKeyPath<Self, Value> else { throw undefinedKey(key) }
        self[keyPath: path] = try Self.accepted(value, key)
    }

    private static func accepted<Value>(_ value: Any?, _ key: String) throws -> Value {
        let given: Any? = value is NSNull ? nil : flattened(value)
        if let accepted = (given as Any) as? Value { return accepted }
        if let number = given as? NSNumber, let accepted = number as? Value { return accepted }
        throw ExpressionError.wrongType(
            operation: "the property \"\(key)\" of \(Self.self)", type: given.map { "\(type(of: $0))" } ?? "nil")
    }
}
