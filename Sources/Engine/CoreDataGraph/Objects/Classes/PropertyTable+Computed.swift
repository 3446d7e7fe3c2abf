import CoreDataStore

extension PropertyTable.Property {
    /// A property with an accessor of the class's own, read by key through its key path; read-only by key.
    public static func computed<Object: NSManagedObject, Value>(
        _ key: String, _ keyPath: KeyPath<Object, Value>
    ) -> PropertyTable.Property {
        // Key paths of accessors capture nothing.
        nonisolated(unsafe) let path = keyPath
        return custom(key, keyPath, get: { ($0 as? Object).flatMap { flattened($0[keyPath: path]) } })
    }

    /// A property with accessors of the class's own, read and written by key through its key path.
    ///
    /// Writing by key stops for a value that is none of the property's type; nil and `NSNull` are nil of an optional type.
    public static func computed<Object: NSManagedObject, Value>(
        _ key: String, _ keyPath: ReferenceWritableKeyPath<Object, Value>
    ) -> PropertyTable.Property {
        // Key paths of accessors capture nothing.
        nonisolated(unsafe) let path = keyPath
        return custom(
            key, keyPath, get: { ($0 as? Object).flatMap { flattened($0[keyPath: path]) } },
            set: { object, value in
                guard let object = object as? Object else { return }
                object[keyPath: path] = accepted(value, key: key, object: object)
            })
    }

    /// The value as the accessor takes it.
    private static func accepted<Value>(_ value: Any?, key: String, object: NSManagedObject) -> Value {
        let given: Any? = value is NSNull ? nil : value
        if let accepted = (given as Any) as? Value { return accepted }
        stop(
            "Unacceptable type of value: property = \"\(key)\"; desired type = \(Value.self); given type = "
                + "\(given.map { "\(type(of: $0))" } ?? "nil"); class = \(type(of: object)).")
    }
}
