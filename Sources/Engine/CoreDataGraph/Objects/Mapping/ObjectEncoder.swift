import CoreDataStore

extension NSManagedObject {
    /// Sets the object's attributes to the values of a plain value's properties with the same names.
    ///
    /// An attribute that the value does not encode remains unchanged: the synthesized conformance does not encode a nil
    /// property. The names of relationships are refused. Either all attributes are set or none, and the error states
    /// what is wrong with each key.
    /// - Throws: `ValuesError`, or what the value's `encode(to:)` throws.
    public func update(from value: some Encodable) throws {
        let encoder = ObjectEncoder()
        try value.encode(to: encoder)
        try setValues(encoder.values) { value, key in
            try requireNoRelationship(key)
            try requireSettable(value, key)
        }
    }

    private func requireNoRelationship(_ key: String) throws {
        switch layout.places[key] {
        case .attribute, nil: return
        default:
            throw ValueRejection(
                .unacceptableType, entity: entity.name ?? "", key: key,
                "'\(key)' of entity '\(entity.name ?? "")' leads to objects and is not set from a plain value.")
        }
    }
}

/// Collects the properties of one plain value.
private final class ObjectEncoder: Encoder {
    var values: [(key: String, value: Any?)] = []
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Keys<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { stop("A list is no properties of an object.") }

    func singleValueContainer() -> any SingleValueEncodingContainer { stop("A single value has no properties.") }

    private struct Keys<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: ObjectEncoder
        var codingPath: [any CodingKey] { [] }

        mutating func encodeNil(forKey key: Key) { encoder.values.append((key.stringValue, nil)) }

        mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            encoder.values.append((key.stringValue, Self.plain(value)))
        }

        /// Returns the raw value of a `RawRepresentable`, such as a case of an enumeration; any other value itself.
        private static func plain(_ value: Any) -> Any { (value as? any RawRepresentable).map { $0.rawValue } ?? value }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            stop("'\(key.stringValue)' is made of values, which no attribute is.")
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            stop("'\(key.stringValue)' is a list, which no attribute is.")
        }

        mutating func superEncoder() -> any Encoder { encoder }

        mutating func superEncoder(forKey key: Key) -> any Encoder { encoder }
    }
}
