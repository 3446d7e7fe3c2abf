import Foundation

/// Values as text of JSON in bytes.
///
/// The keys are sorted, so that equal values have equal bytes and a predicate can compare them.
enum StoredJSON {
    static func encode(_ value: any Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(value)
    }

    /// Decodes a value; members that an older version of its type lacked are empty (`EmptyValue`).
    static func decode(_ type: any Decodable.Type, from json: Data) throws -> Any {
        do { return try type.decoded(from: json) } catch let error as DecodingError {
            guard error.missing(in: type) != nil else { throw error }
            return try complete(type, json, error)
        }
    }

    /// Each round fills in one member, in all elements of the lists that it is in.
    private static func complete(_ type: any Decodable.Type, _ json: Data, _ first: DecodingError) throws -> Any {
        var tree = try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
        var error = first
        for _ in 0..<1_000 {
            guard let (path, value) = error.missing(in: type), let value else { throw error }
            tree = filled(tree, path[...], value)
            do {
                return try type.decoded(from: JSONSerialization.data(withJSONObject: tree, options: .fragmentsAllowed))
            } catch let next as DecodingError { error = next }
        }
        throw error
    }

    private static func filled(_ tree: Any, _ path: ArraySlice<any CodingKey>, _ value: Any) -> Any {
        guard let key = path.first else { return tree is NSNull ? value : tree }
        if key.intValue != nil, let list = tree as? [Any] { return list.map { filled($0, path.dropFirst(), value) } }
        guard var members = tree as? [String: Any] else { return tree }
        members[key.stringValue] = filled(members[key.stringValue] ?? NSNull(), path.dropFirst(), value)
        return members
    }
}

extension DecodingError {
    /// The path of a member that a value lacks, and what is put there: the empty value of its type. For a member of
    /// which the type does not show, that is null, and the next error says the type.
    fileprivate func missing(in type: any Decodable.Type) -> (path: [any CodingKey], value: Any?)? {
        switch self {
        case .keyNotFound(let key, let context):
            let path = context.codingPath + [key]
            return (path, TypeShape.member(of: type, at: path[...]).flatMap { EmptyValue.json(of: $0) } ?? NSNull())
        case .valueNotFound(let type, let context): return (context.codingPath, EmptyValue.json(of: type))
        default: return nil
        }
    }
}

extension TypeShape {
    /// The type of what a path of keys leads to in a structure, through lists and other structures.
    fileprivate static func member(of type: Any.Type, at path: ArraySlice<any CodingKey>) -> Any.Type? {
        guard let key = path.first else { return type }
        if let optional = type as? any OptionalType.Type { return member(of: optional.wrapped, at: path) }
        if let list = type as? any ElementType.Type { return member(of: list.elementType, at: path.dropFirst()) }
        return fields(of: type)?.first { $0.name == key.stringValue }.flatMap {
            member(of: $0.type, at: path.dropFirst())
        }
    }
}

/// A collection whose elements have keys in JSON.
private protocol ElementType {
    static var elementType: Any.Type { get }
}

extension Array: ElementType {
    fileprivate static var elementType: Any.Type { Element.self }
}

extension Dictionary: ElementType {
    fileprivate static var elementType: Any.Type { Value.self }
}
