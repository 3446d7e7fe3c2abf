/// An object with composite attributes, whose values are dictionaries that can be set only as a whole.
package protocol ElementHolder: MutableKeyValueCoding {
    /// Whether a key is that of a composite attribute.
    func isComposite(_ key: String) -> Bool

    /// Sets an element of a composite attribute: sets the attribute to a copy of its dictionary with `value` at the
    /// path.
    ///
    /// - Throws: `UnknownKeyError` if the path does not lead to an element, and what setting the attribute throws.
    func setElement(_ value: Any?, at path: [String], of key: String) throws
}

/// The element of a composite attribute to which a dotted key path leads: the object, the attribute's key, and the
/// names of the path within the attribute.
struct ElementPlace {
    let owner: any ElementHolder
    let key: String
    let path: [String]

    /// Returns nil if the path does not lead into a composite attribute.
    ///
    /// - Throws: what reading a step before the composite attribute throws.
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
