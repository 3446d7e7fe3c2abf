import Foundation

/// Encodes a structure as the elements of a composite attribute.
final class ElementEncoder: Encoder {
    let plan: CompositePlan
    fileprivate(set) var values: [String: Any] = [:]
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(plan: CompositePlan) { self.plan = plan }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Members<Key>(encoder: self))
    }

    // A structure that encodes itself as a list or a single value is refused when the container is closed: nothing is
    // kept, and the values that are missing are found by validation.
    func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusedContainer() }
    func singleValueContainer() -> any SingleValueEncodingContainer { RefusedContainer() }

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: ElementEncoder
        var codingPath: [any CodingKey] { [] }

        mutating func encodeNil(forKey key: Key) throws { _ = try encoder.plan.element(named: key.stringValue) }

        mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            let element = try encoder.plan.element(named: key.stringValue)
            encoder.values[key.stringValue] = try unwrapped(value).flatMap { try element.kind.encodeElement($0) }
        }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            KeyedEncodingContainer(RefusedMembers<Nested>())
        }
        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { RefusedContainer() }
        mutating func superEncoder() -> any Encoder { RefusedContainer() }
        mutating func superEncoder(forKey key: Key) -> any Encoder { RefusedContainer() }
    }
}

private let refusal = SwiftDataError.modelValidationFailure.stating(
    "A stored structure must encode its stored properties by their names.")

/// Throws for everything that is encoded in it.
private struct RefusedContainer: Encoder, UnkeyedEncodingContainer, SingleValueEncodingContainer {
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var count: Int { 0 }
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(RefusedMembers<Key>())
    }
    func unkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }
    func encodeNil() throws { throw refusal }
    func encode<Value: Encodable>(_ value: Value) throws { throw refusal }
    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(RefusedMembers<Key>())
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
    func superEncoder() -> any Encoder { self }
}

private struct RefusedMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }
    func encodeNil(forKey key: Key) throws { throw refusal }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { throw refusal }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { KeyedEncodingContainer(RefusedMembers<Nested>()) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { RefusedContainer() }
    func superEncoder() -> any Encoder { RefusedContainer() }
    func superEncoder(forKey key: Key) -> any Encoder { RefusedContainer() }
}
