/// The names that a model source has for attribute types.
enum AttributeTypeName {
    static let all = [
        "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean", "Date", "Binary",
        "UUID", "URI", "Transformable", "ObjectID", "Composite",
    ]

    static let numbers: Set<String> = ["Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float"]
    /// The types that managed object classes can declare as scalar values (`usesScalarValueType`).
    static let scalars: Set<String> = numbers.subtracting(["Decimal"]).union(["Boolean", "Date", "UUID"])
    /// The types whose attributes can have a default value.
    static let withDefault: Set<String> = numbers.union(["String", "Boolean", "Date", "UUID", "URI"])

    private static let aliases: [String: String] = [
        "int16": "Integer 16", "int32": "Integer 32", "int64": "Integer 64", "int": "Integer 64", "bool": "Boolean",
        "data": "Binary", "binarydata": "Binary", "url": "URI", "text": "String",
    ]

    /// The type with a name or alias, such as `int16`; ignores case, spaces, `-` and `_`. Nil if no type has the name.
    static func named(_ text: String) -> String? {
        let word = text.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" }
        return all.first { $0.lowercased().filter { $0 != " " } == word } ?? aliases[word]
    }

    /// The default value that Xcode gives to a new attribute of a type; nil for none.
    static func freshDefault(of type: String) -> String? {
        switch type {
        case "Integer 16", "Integer 32", "Integer 64": "0"
        case "Decimal", "Double", "Float": "0.0"
        default: nil
        }
    }

    /// The `usesScalarValueType` that Xcode gives to a new attribute of a type; nil for a type that has no scalar form.
    static func freshScalar(of type: String) -> String? {
        guard scalars.contains(type) else { return nil }
        return ["Date", "UUID"].contains(type) ? "NO" : "YES"
    }
}
