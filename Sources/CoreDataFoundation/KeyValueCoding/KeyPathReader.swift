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
        default: throw UnknownKeyError(key: key, owner: String(describing: type(of: object)), knownKeys: [])
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
