/// Reads dotted key paths from objects, dictionaries and collections, step by step and without recursion on the path.
package enum KeyPathReader {
    /// The value at the end of a key path; nil if a step before the end is nil.
    ///
    /// A collection on the path gives an array of its elements' values, with `NSNull` for nil. If an element's value is
    /// itself a collection, its elements are added in its place, unless it is the value of an attribute.
    /// - Throws: `UnknownKeyError` for a step with an unknown key, `ExpressionError` for a collection operator that
    ///   fails.
    package static func value(at path: String, of object: Any?) throws -> Any? {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return try value(for: path, rest: [], of: object) }
        var current = object
        var steps = path.split(separator: ".", omittingEmptySubsequences: false)[...]
        while let step = steps.popFirst(), current != nil {
            current = try value(for: String(step), rest: steps, of: current)
            if step.hasPrefix("@"), step != "@count" { break }
        }
        return current
    }

    /// The value at the end of a key path by the rules of key-value coding, which keep the kind of a collection on the
    /// path.
    ///
    /// A set gives an `NSSet` and an ordered set an `NSOrderedSet` of its elements' values, without nil. Arrays, and
    /// all paths with a collection operator, give what `value(at:of:)` gives.
    /// - Throws: what `value(at:of:)` throws.
    static func collectedValue(at path: String, of object: Any?) throws -> Any? {
        guard !path.utf8.contains(UInt8(ascii: "@")) else { return try value(at: path, of: object) }
        guard path.utf8.contains(UInt8(ascii: ".")) else { return try collectedValue(for: path, of: object) }
        var current = object
        for step in path.split(separator: ".", omittingEmptySubsequences: false) where current != nil {
            current = try collectedValue(for: String(step), of: current)
        }
        return current
    }

    private static func collectedValue(for key: String, of object: Any?) throws -> Any? {
        guard key != "self", key != "SELF", let object = ValueOrder.present(object) else { return object }
        // Objects are tested first, since most paths consist of them.
        if let object = object as? any KeyValueCoding { return flattened(try object.codedValue(forKey: key)) }
        if let list = object as? NSOrderedSet { return NSOrderedSet(array: try distinctValues(for: key, of: list)) }
        guard let list = object as? any ElementList, ValueList.isUnordered(list) else {
            return try value(for: key, rest: [], of: object)
        }
        return NSSet(array: try distinctValues(for: key, of: list))
    }

    private static func distinctValues(for key: String, of list: any ElementList) throws -> [Any] {
        ValueList.distinct(
            try list.elementList.compactMap { ValueOrder.present(try collectedValue(for: key, of: $0)) })
    }

    private static func value(for key: String, rest: ArraySlice<Substring>, of object: Any?) throws -> Any? {
        guard let object = ValueOrder.present(object) else { return nil }
        if key == "self" || key == "SELF" { return object }
        if key.utf8.first == UInt8(ascii: "@") {
            return try CollectionOperator.value(of: key, path: rest.joined(separator: "."), on: object)
        }
        return try value(for: key, of: object)
    }

    /// One step of a path from an object that is not nil.
    private static func value(for key: String, of object: Any) throws -> Any? {
        switch object {
        case let object as any KeyValueCoding: return flattened(try object.codedValue(forKey: key))
        case let dictionary as any StringKeyed: return dictionary.namedValue(key)
        case let list as any ElementList: return try values(for: key, of: list.elementList)
        case let text as String where key == "length": return text.utf16.count
        default: throw UnknownKeyError(key: key, opaque: object)
        }
    }

    private static func values(for key: String, of list: [Any?]) throws -> [Any] {
        var values: [Any] = []
        for element in list {
            let value = try value(for: key, rest: [], of: element) ?? NSNull()
            if isList(value), (element as? any AttributeHolder)?.isAttribute(key) != true {
                for inner in elements(of: value) ?? [] { values.append(inner ?? NSNull()) }
            } else {
                values.append(value)
            }
        }
        return values
    }
}
