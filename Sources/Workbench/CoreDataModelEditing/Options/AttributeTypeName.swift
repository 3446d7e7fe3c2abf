/// The types of attributes as a source names them.
enum AttributeTypeName {
    static let all = [
        "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "String", "Boolean", "Date", "Binary",
        "UUID", "URI", "Transformable", "ObjectID", "Composite",
    ]

    static let numbers: Set<String> = ["Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float"]
    /// The types that classes can have as plain values.
    static let scalars: Set<String> = numbers.subtracting(["Decimal"]).union(["Boolean", "Date", "UUID"])
    /// The types that can have a default.
    static let withDefault: Set<String> = numbers.union(["String", "Boolean", "Date", "UUID", "URI"])

    private static let aliases: [String: String] = [
        "int16": "Integer 16", "int32": "Integer 32", "int64": "Integer 64", "int": "Integer 64", "bool": "Boolean",
        "data": "Binary", "binarydata": "Binary", "url": "URI", "text": "String",
    ]

    /// The type with a name, ignoring case and blanks; nil if no type has it.
    static func named(_ text: String) -> String? {
        let word = text.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" }
        return all.first { $0.lowercased().filter { $0 != " " } == word } ?? aliases[word]
    }

    /// The default that Xcode gives to a fresh attribute.
    static func freshDefault(of type: String) -> String? {
        switch type {
        case "Integer 16", "Integer 32", "Integer 64": "0"
        case "Decimal", "Double", "Float": "0.0"
        default: nil
        }
    }

    /// Xcode's scalar setting of a new attribute.
    static func freshScalar(of type: String) -> String? {
        guard scalars.contains(type) else { return nil }
        return ["Date", "UUID"].contains(type) ? "NO" : "YES"
    }
}
