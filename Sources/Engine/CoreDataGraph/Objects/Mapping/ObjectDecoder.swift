import CoreDataStore

extension NSManagedObject {
    /// Decodes a plain value from the object: each of its properties is read from the object's property of that name.
    ///
    /// A property of a `Decodable` struct type is decoded from the object of a to-one relationship, an array of such
    /// values from the members of a to-many one. Attributes keep their types and are not converted to text.
    /// - Throws: `DecodingError` that names a property which the object lacks or has with another type.
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try Value(from: ObjectDecoder(value: self, codingPath: []))
    }
}

/// Decodes from managed objects, values of their properties, and lists of objects.
private struct ObjectDecoder: Decoder, SingleValueDecodingContainer {
    /// The greatest depth of nesting: decoding objects that refer to each other throws an error here.
    private static let greatestDepth = 64

    let value: Any?
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let object = value as? NSManagedObject else { throw mismatch(NSManagedObject.self) }
        guard codingPath.count < Self.greatestDepth else {
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "nested too deep"))
        }
        return KeyedDecodingContainer(Keys<Key>(object: object, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let members = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? value as? [Any]
        guard let members else { throw mismatch([NSManagedObject].self) }
        return List(members: members, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { value == nil }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let fitting = fitting(as: type) { return fitting }
        // Attribute types are not decoded from their parts.
        guard value != nil, !Self.isLeaf(type) else { throw mismatch(type) }
        return try Value(from: self)
    }

    private func fitting<Value>(as type: Value.Type) -> Value? {
        if type == Decimal.self, let number = value as? NSDecimalNumber { return number.decimalValue as? Value }
        return value as? Value
    }

    private static func isLeaf(_ type: Any.Type) -> Bool {
        [
            Bool.self, String.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self,
            UInt16.self, UInt32.self, UInt64.self, Double.self, Float.self, Date.self, Data.self, UUID.self, URL.self,
            Decimal.self,
        ].contains { $0 == type }
    }

    private func mismatch(_ wanted: Any.Type) -> DecodingError {
        let given = value.map { "\(Swift.type(of: $0))" } ?? "nil"
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: "found \(given)")
        return value == nil ? .valueNotFound(wanted, context) : .typeMismatch(wanted, context)
    }

    // MARK: Properties

    private struct Keys<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let object: NSManagedObject
        let codingPath: [any CodingKey]

        var allKeys: [Key] { object.codedKeys.compactMap(Key.init(stringValue:)) }

        func contains(_ key: Key) -> Bool { (try? object.codedValue(forKey: key.stringValue)) != nil }

        func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).value == nil }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try decoder(key).decode(type)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> {
            try decoder(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try decoder(key).unkeyedContainer()
        }

        func superDecoder() throws -> any Decoder { ObjectDecoder(value: object, codingPath: codingPath) }

        func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

        private func decoder(_ key: Key) throws -> ObjectDecoder {
            do {
                let value = try object.codedValue(forKey: key.stringValue)
                return ObjectDecoder(value: value, codingPath: codingPath + [key])
            } catch {
                throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "\(error)"))
            }
        }
    }

    // MARK: Members

    private struct List: UnkeyedDecodingContainer {
        let members: [Any]
        let codingPath: [any CodingKey]
        var currentIndex = 0

        var count: Int? { members.count }
        var isAtEnd: Bool { currentIndex >= members.count }

        mutating func decodeNil() -> Bool { false }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }

        mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            try next().container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try next().unkeyedContainer()
        }

        mutating func superDecoder() throws -> any Decoder { try next() }

        private mutating func next() throws -> ObjectDecoder {
            guard !isAtEnd else {
                throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "no more members"))
            }
            defer { currentIndex += 1 }
            return ObjectDecoder(value: members[currentIndex], codingPath: codingPath)
        }
    }
}
