/// Generates the conformance to `MutableKeyValueCoding` of `NSObject` subclasses, which the Objective-C runtime would
/// provide.
///
/// A subclass cannot override what an extension declares, so the topmost class also handles the keys of its subclasses.
struct KeyedObjectSource {
    private let root: String
    /// The classes with their keys, subclasses before their superclasses.
    private let classes: [KeyedObject]

    /// `objects` are the classes with one root, superclasses first.
    private init(_ root: String, _ objects: [KeyedObject]) {
        self.root = root
        classes = objects.reversed()
    }

    /// Adds the conformances of classes to a source.
    static func add(_ objects: [KeyedObject], to source: inout SourceText) {
        for (root, objects) in Dictionary(grouping: objects, by: \.root).sorted(by: { $0.key < $1.key }) {
            KeyedObjectSource(root, objects).add(to: &source)
        }
    }

    private func add(to source: inout SourceText) {
        source.add("", "extension \(SwiftName.escapedPath(root)): MutableKeyValueCoding {")
        source.add("/// The value of a property by name.", depth: 1)
        source.add("nonisolated public func codedValue(forKey key: String) throws -> Any? {", depth: 1)
        addCases(to: &source) { "return object.\(SwiftName.escaped($1)) as Any?" }
        source.add("throw undefinedKey(key)", depth: 2)
        source.add("}", "", "/// Sets a property by name.", depth: 1)
        source.add("nonisolated public func setCodedValue(_ value: Any?, forKey key: String) throws {", depth: 1)
        addCases(to: &source) { name, key in
            "return try object.setCodedValue(value, forKey: key, at: \\\(name).\(SwiftName.escaped(key)))"
        }
        source.add("throw undefinedKey(key)", depth: 2)
        source.add("}", "", "/// The names of the properties.", depth: 1)
        source.add("nonisolated public var codedKeys: [String] {", "    var keys: [String] = []", depth: 1)
        for subject in classes {
            let keys = subject.keys.map(SwiftName.literal).joined(separator: ", ")
            let condition = subject.name == root ? "" : "if self is \(SwiftName.escapedPath(subject.name)) "
            source.add(condition.isEmpty ? "keys += [\(keys)]" : "\(condition){ keys += [\(keys)] }", depth: 2)
        }
        source.add("    return keys", "}", depth: 1)
        source.add("}")
    }

    /// Adds a `switch` over the keys of each class; `action` returns the statement for a class's name and a key.
    private func addCases(to source: inout SourceText, _ action: (String, String) -> String) {
        for subject in classes {
            let name = SwiftName.escapedPath(subject.name)
            source.add(subject.name == root ? "do {" : "if let object = self as? \(name) {", depth: 2)
            if subject.name == root { source.add("let object = self", depth: 3) }
            source.add("switch key {", depth: 3)
            for key in Set(subject.keys).sorted() {
                source.add("case \(SwiftName.literal(key)): \(action(name, key))", depth: 3)
            }
            source.add("default: break", "}", depth: 3)
            source.add("}", depth: 2)
        }
    }
}
