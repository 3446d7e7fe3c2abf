import Foundation

/// What a member of a structure is where an older value has none: zero, an empty text, date or list, a structure of
/// such members, the first case of an enumeration.
enum EmptyValue {
    /// Nil for a type of which no such value can be made.
    static func of(_ type: any Decodable.Type) -> Any? {
        if let simple = type as? any PersistentValue.Type { return simple.emptyValue }
        if let first = firstCase(of: type) { return first }
        guard let json = json(of: type),
            let bytes = try? JSONSerialization.data(withJSONObject: json, options: .fragmentsAllowed)
        else { return nil }
        return try? StoredJSON.decode(type, from: bytes)
    }

    /// The value as an object of JSON, in which members may still be missing.
    static func json(of type: Any.Type) -> Any? {
        switch type {
        case is any OptionalType.Type: return NSNull()
        case let simple as any PersistentValue.Type: return simple.emptyJSON
        case is any DictionaryType.Type: return [String: Any]()
        case is any CollectionType.Type: return [Any]()
        default: break
        }
        if let first = firstCase(of: type) as? any Encodable {
            return try? JSONSerialization.jsonObject(with: JSONEncoder().encode(first), options: .fragmentsAllowed)
        }
        return TypeShape.fields(of: type) == nil ? nil : [String: Any]()
    }

    /// The first case of an enumeration without associated values, or the first without in one that has some.
    private static func firstCase(of type: Any.Type) -> Any? {
        let cases = TypeShape.cases(of: type)
        guard !cases.isEmpty else { return nil }
        if cases.allSatisfy({ !$0.hasValues }) {
            func open<Value>(_ type: Value.Type) -> Any { zero(type) }
            return _openExistential(type, do: open)
        }
        guard let first = cases.first(where: { !$0.hasValues }), let decodable = type as? any Decodable.Type else {
            return nil
        }
        return try? decodable.decoded(from: JSONEncoder().encode([first.name: [String: String]()]))
    }

    /// Cases without associated values are numbered from zero, in as many bytes as they need.
    private static func zero<Value>(_ type: Value.Type) -> Any {
        withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
            UnsafeMutableRawBufferPointer(buffer).initializeMemory(as: UInt8.self, repeating: 0)
            return buffer[0]
        }
    }
}

private protocol DictionaryType {}
extension Dictionary: DictionaryType {}

extension PersistentValue {
    fileprivate static var emptyJSON: Any? {
        guard let bytes = try? JSONEncoder().encode(emptyValue) else { return nil }
        return try? JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed)
    }
}
