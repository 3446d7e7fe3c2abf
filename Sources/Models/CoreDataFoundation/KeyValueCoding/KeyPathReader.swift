/// Reads dotted key paths from objects, dictionaries and collections, step by step and without recursion on the path.
package enum KeyPathReader {
    /// The value at the end of a path; nil where a step is nil.
    ///
    /// A collection in the middle answers with the list of its elements' values, in which `NSNull` stands for nil. Where
    /// the values are collections themselves it is the list of all their elements, unless they are values of attributes.
    /// - Throws: `UnknownKeyError` for a step, `ExpressionError` for a collection operator that fails.
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

    /// The value at the end of a path as key-value coding gives it, where each collection on the way answers in its kind.
    ///
    /// A set answers with an `NSSet` and an ordered set with an `NSOrderedSet` of its elements' values, without nil; lists
    /// and collection operators answer as in predicates.
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
        // Objects first, of which most paths are made.
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
