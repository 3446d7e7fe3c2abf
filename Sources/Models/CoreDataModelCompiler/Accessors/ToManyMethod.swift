/// One of the methods that Xcode generates for a to-many relationship.
struct ToManyMethod {
    /// The Objective-C selector of the method: `addPowersObject:`.
    let selector: String
    /// The declaration after `func`: `addToPowers(_ value: Power)`.
    let signature: String
    /// The name of the library's function that the method calls.
    let block: String
    /// The arguments of that function after the property's number.
    let arguments: String

    /// The methods of a relationship, in Xcode's order; `set` is the type of the parameter for several objects.
    static func methods(of key: String, target: String, set: String, isOrdered: Bool) -> [ToManyMethod] {
        let name = SwiftName.capitalized(key)
        return (isOrdered ? placed(name, target) : []) + plain(name, target: target, set: set)
    }

    private static func plain(_ name: String, target: String, set: String) -> [ToManyMethod] {
        [
            ToManyMethod(
                selector: "add\(name)Object:", signature: "addTo\(name)(_ value: \(target))", block: "addToMany",
                arguments: "value"),
            ToManyMethod(
                selector: "remove\(name)Object:", signature: "removeFrom\(name)(_ value: \(target))",
                block: "removeFromMany", arguments: "value"),
            ToManyMethod(
                selector: "add\(name):", signature: "addTo\(name)(_ values: \(set))", block: "addToMany",
                arguments: "values"),
            ToManyMethod(
                selector: "remove\(name):", signature: "removeFrom\(name)(_ values: \(set))", block: "removeFromMany",
                arguments: "values"),
        ]
    }

    private static func placed(_ name: String, _ target: String) -> [ToManyMethod] {
        [
            ToManyMethod(
                selector: "insertObject:in\(name)AtIndex:",
                signature: "insertInto\(name)(_ value: \(target), at idx: Int)", block: "insertIntoMany",
                arguments: "value, at: idx"),
            ToManyMethod(
                selector: "removeObjectFrom\(name)AtIndex:", signature: "removeFrom\(name)(at idx: Int)",
                block: "removeFromMany", arguments: "at: idx"),
            ToManyMethod(
                selector: "insert\(name):atIndexes:",
                signature: "insertInto\(name)(_ values: [\(target)], at indexes: NSIndexSet)", block: "insertIntoMany",
                arguments: "values, at: indexes as IndexSet"),
            ToManyMethod(
                selector: "remove\(name)AtIndexes:", signature: "removeFrom\(name)(at indexes: NSIndexSet)",
                block: "removeFromMany", arguments: "at: indexes as IndexSet"),
            ToManyMethod(
                selector: "replaceObjectIn\(name)AtIndex:withObject:",
                signature: "replace\(name)(at idx: Int, with value: \(target))", block: "replaceInMany",
                arguments: "at: idx, with: value"),
            ToManyMethod(
                selector: "replace\(name)AtIndexes:with\(name):",
                signature: "replace\(name)(at indexes: NSIndexSet, with values: [\(target)])", block: "replaceInMany",
                arguments: "at: indexes as IndexSet, with: values"),
        ]
    }
}
