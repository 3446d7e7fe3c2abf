import Foundation

/// Decodes a structure from the elements of a composite attribute.
///
/// An element that a later version of the structure added has no value in an older row. It is then that of the
/// property's default value, or an empty one (`EmptyValue`).
struct ElementDecoder: Decoder {
    let plan: CompositePlan
    let values: [String: Any]
    let defaults: [String: Any]
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw refusal }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw refusal }

    private var refusal: SwiftDataError {
        .modelValidationFailure.stating("\(plan.type) must decode its stored properties by their names.")
    }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: ElementDecoder
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { decoder.values.keys.compactMap(Key.init(stringValue:)) }

        func contains(_ key: Key) -> Bool { decoder.values[key.stringValue].map { !($0 is NSNull) } ?? false }
        func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let element = try decoder.plan.element(named: key.stringValue)
            let stored = decoder.values[key.stringValue].flatMap { $0 is NSNull ? nil : $0 }
            let present = stored ?? decoder.defaults[key.stringValue]
            if let value = try element.kind.decodeElement(present, as: type) as? Value { return value }
            if let empty = EmptyValue.of(type) as? Value { return empty }
            throw DecodingError.valueNotFound(
                type, .init(codingPath: [key], debugDescription: "the element '\(key.stringValue)' has no such value"))
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw decoder.refusal }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw decoder.refusal }
        func superDecoder() throws -> any Decoder { throw decoder.refusal }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw decoder.refusal }
    }
}
