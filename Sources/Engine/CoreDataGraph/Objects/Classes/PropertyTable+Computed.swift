import CoreDataStore

extension PropertyTable.Property {
    /// A property with a getter in the class. Access by key reads it through its key path, and cannot set it.
    public static func computed<Object: NSManagedObject, Value>(
        _ key: String, _ keyPath: KeyPath<Object, Value>
    ) -> PropertyTable.Property {
        // A key path of a property captures no values, so any thread may use it.
        nonisolated(unsafe) let path = keyPath
        return custom(key, keyPath, get: { ($0 as? Object).flatMap { flattened($0[keyPath: path]) } })
    }

    /// A property with a getter and setter in the class, or a stored property. Access by key reads and writes it
    /// through its key path.
    ///
    /// Writing by key converts nil and `NSNull` to nil of an optional type, and a number to the property's number type.
    /// It stops for a value of another type and for a number that the property's type cannot represent.
    public static func computed<Object: NSManagedObject, Value>(
        _ key: String, _ keyPath: ReferenceWritableKeyPath<Object, Value>
    ) -> PropertyTable.Property {
        // A key path of a property captures no values, so any thread may use it.
        nonisolated(unsafe) let path = keyPath
        return custom(
            key, keyPath, get: { ($0 as? Object).flatMap { flattened($0[keyPath: path]) } },
            set: { object, value in
                guard let object = object as? Object else { return }
                object[keyPath: path] = orStop { try accepted(value, key: key, object: object) }
            }
        ).checked { _ = try accepted($1, key: key, object: $0) as Value }
    }

    /// Converts a value to the type of the accessor.
    private static func accepted<Value>(_ value: Any?, key: String, object: NSManagedObject) throws -> Value {
        func refusal(_ code: ValueRejection.Code, _ reason: String) -> ValueRejection {
            ValueRejection(code, entity: object.entity.name ?? "", key: key, reason)
        }
        switch CodedValue<Value>(value) {
        case .accepted(let accepted): return accepted
        case .outOfRange:
            throw refusal(
                .outOfRange,
                "The number given for '\(key)' of class \(type(of: object)) is outside the range of \(Value.self).")
        case .unacceptable:
            let given: Any? = value is NSNull ? nil : flattened(value)
            throw refusal(
                .unacceptableType,
                "Unacceptable type of value: property = \"\(key)\"; desired type = \(Value.self); given type = "
                    + "\(given.map { "\(type(of: $0))" } ?? "nil"); class = \(type(of: object)).")
        }
    }
}
