import CoreDataModeling

extension NSManagedObject {
    /// Sets the properties that have the names of a plain value's properties to their values.
    ///
    /// A property that the value leaves out stays as it is; one that is nil is left out by the synthesized conformance
    /// of its type, unless it encodes nil itself. Attributes only: relationships lead to objects, not to values.
    /// Either all is set or nothing.
    /// - Throws: `UnknownKeyError`, `ValueError`, or an `EncodingError` for a value that is made of values.
    public func update(from value: some Encodable) throws {
        let encoder = ObjectEncoder()
        try value.encode(to: encoder)
        for (key, value) in encoder.values { try requireAcceptable(value, key) }
        for (key, value) in encoder.values { try setCodedValue(value, forKey: key) }
    }

    private func requireAcceptable(_ value: Any?, _ key: String) throws {
        switch layout.places[key] {
        case .attribute(let slot):
            guard case .attribute(let attribute, let kind) = layout.slots[slot].content else { return }
            _ = try SlotCoding.accept(value, for: attribute, kind)
        case nil where layout.table.property(named: key)?.set != nil: return
        case nil: throw UnknownKeyError(key: key, owner: "the entity \(entity.name ?? "")", knownKeys: codedKeys)
        default:
            throw ValueError(
                .unacceptableType, entity: entity.name ?? "", key: key,
                "'\(key)' of entity '\(entity.name ?? "")' leads to objects and is not set from a plain value.")
        }
    }
}

/// Collects the properties of one plain value.
private final class ObjectEncoder: Encoder {
    var values: [(String, Any?)] = []
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

        /// The value that stands for one with a raw value, such as a case of an enumeration.
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
