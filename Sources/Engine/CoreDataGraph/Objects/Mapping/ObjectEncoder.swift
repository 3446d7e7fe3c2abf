import CoreDataStore

extension NSManagedObject {
    /// Sets the object's attributes to the values of a plain value's properties with the same names.
    ///
    /// An attribute that the value does not encode remains unchanged: the synthesized conformance does not encode a nil
    /// property. The names of relationships are refused, and so is a property that is encoded as a list or as an object
    /// of its own. Either all attributes are set or none, and the error states what is wrong with each key.
    /// - Throws: `ValuesError`; `EncodingError` for a list or a single value, which have no properties; what the value's
    ///   `encode(to:)` throws.
    public func update(from value: some Encodable) throws {
        let encoder = ObjectEncoder()
        try value.encode(to: encoder)
        if let refusal = encoder.refusal { throw EncodingError.invalidValue(value, refusal) }
        try setValues(encoder.values) { value, key in
            try requireNoRelationship(key)
            let nested = value as? NestedValue
            try requireSettable(nested == nil ? value : nil, key)
            if let nested { throw rejection(of: key, nested.reason) }
        }
    }

    private func requireNoRelationship(_ key: String) throws {
        switch layout.places[key] {
        case .attribute, nil: return
        default: throw rejection(of: key, "leads to objects and is not set from a plain value.")
        }
    }

    private func rejection(of key: String, _ reason: String) -> ValueRejection {
        let name = entity.name ?? ""
        return ValueRejection(.unacceptableType, entity: name, key: key, "'\(key)' of entity '\(name)' \(reason)")
    }
}

/// Collects the properties of one plain value.
private final class ObjectEncoder: Encoder {
    var values: [(key: String, value: Any?)] = []
    /// Why the value cannot be encoded: it encodes itself as something without properties.
    private(set) var refusal: EncodingError.Context?
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Keys<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        refusal = .init(codingPath: [], debugDescription: "A list has no properties that attributes could be set to.")
        return IgnoredValues()
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        refusal = .init(
            codingPath: [], debugDescription: "A single value has no properties that attributes could be set to.")
        return IgnoredValues()
    }

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
            encoder.values.append((key.stringValue, NestedValue.object))
            return IgnoredValues().container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            encoder.values.append((key.stringValue, NestedValue.list))
            return IgnoredValues()
        }

        mutating func superEncoder() -> any Encoder { encoder }

        mutating func superEncoder(forKey key: Key) -> any Encoder { encoder }
    }
}

/// Stands for a property that is encoded in a container of its own, which no attribute can be set to.
private enum NestedValue {
    case list
    case object

    /// The end of a sentence that begins with the property.
    var reason: String {
        switch self {
        case .list: "is encoded as a list, which no attribute is set to."
        case .object: "is encoded as an object of its own, which no attribute is set to."
        }
    }
}

/// Accepts what is encoded within a refused value, and discards it: a container cannot throw when it is made.
private struct IgnoredValues: Encoder, UnkeyedEncodingContainer, SingleValueEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var count: Int { 0 }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Keys<Key>())
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { self }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() {}

    func encode<Value: Encodable>(_ value: Value) {}

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }

    func superEncoder() -> any Encoder { self }

    private struct Keys<Key: CodingKey>: KeyedEncodingContainerProtocol {
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) {}

        func encode<Value: Encodable>(_ value: Value, forKey key: Key) {}

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            IgnoredValues().container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { IgnoredValues() }

        func superEncoder() -> any Encoder { IgnoredValues() }

        func superEncoder(forKey key: Key) -> any Encoder { IgnoredValues() }
    }
}
