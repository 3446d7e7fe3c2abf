/// An object with composite attributes, whose values are dictionaries that are set as a whole.
package protocol ElementHolder: MutableKeyValueCoding {
    /// Whether a key is that of a composite attribute.
    func isComposite(_ key: String) -> Bool

    /// Sets a composite attribute to a dictionary in which the value at a path of names is another one.
    ///
    /// - Throws: `UnknownKeyError` for a path that leads to no element, and what setting the attribute throws.
    func setElement(_ value: Any?, at path: [String], of key: String) throws
}

/// The element of a composite attribute that a dotted key path leads to: its object, its attribute, its names in there.
struct ElementPlace {
    let owner: any ElementHolder
    let key: String
    let path: [String]

    /// Nil for a path that leads into no composite attribute.
    ///
    /// - Throws: what reading a step on the way throws.
    init?(of keyPath: String, from start: any KeyValueCoding) throws {
        var steps = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
        var object: Any? = start
        while let step = steps.popFirst(), !steps.isEmpty, let owner = object as? any KeyValueCoding {
            if let owner = owner as? any ElementHolder, owner.isComposite(step) {
                (self.owner, key, path) = (owner, step, Array(steps))
                return
            }
            guard !step.hasPrefix("@") else { return nil }
            object = try owner.codedValue(forKey: step)
        }
        return nil
    }
}
