extension MutableKeyValueCoding {
    /// Sets the property at a Swift key path, for types that implement `setCodedValue(_:forKey:)` with key paths.
    ///
    /// nil and `NSNull` become nil if the type is optional. A number is converted to the property's numeric type; an
    /// integer type drops the fraction.
    /// - Throws: `UnknownKeyError` for a property that is read-only, `ExpressionError` for a value of another type and
    ///   for a number that the property's type cannot hold.
    public func setCodedValue<Value>(_ value: Any?, forKey key: String, at keyPath: KeyPath<Self, Value>) throws {
        guard let path = keyPath as? ReferenceWritableKeyPath<Self, Value> else { throw undefinedKey(key) }
        let given: Any? = value is NSNull ? nil : flattened(value)
        let givenType = given.map { "\(type(of: $0))" } ?? "nil"
        switch CodedValue<Value>(given) {
        case .accepted(let accepted): self[keyPath: path] = accepted
        case .outOfRange: throw Self.refusal(key, "\(givenType) outside the range of \(Value.self)")
        case .unacceptable: throw Self.refusal(key, givenType)
        }
    }

    private static func refusal(_ key: String, _ type: String) -> ExpressionError {
        .wrongType(operation: "the property \"\(key)\" of \(Self.self)", type: type)
    }
}
