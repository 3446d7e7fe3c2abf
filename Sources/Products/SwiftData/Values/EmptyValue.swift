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

    /// The first case without associated values of an enumeration.
    private static func firstCase(of type: Any.Type) -> Any? {
        guard let number = TypeShape.cases(of: type).firstIndex(where: { !$0.hasValues }) else { return nil }
        func open<Value>(_ type: Value.Type) -> Any? { TypeShape.value(ofCase: number, type) }
        return _openExistential(type, do: open)
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
