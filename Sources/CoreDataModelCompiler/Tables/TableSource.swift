/// The file that tells the library of a module's classes: which entities name them, and the properties of each.
///
/// Foundation finds a class's properties by their names at run time only with the Objective-C runtime; this stands in.
package struct TableSource {
    /// The name of the file.
    package static let fileName = "CoreDataGeneratedClasses.swift"

    private let classes: [ModelClass]
    private let byName: [String: ModelClass]

    /// The tables of classes that are generated, and of classes of which something else knows the properties.
    package init(_ classes: [ModelClass]) {
        self.classes = classes
        byName = Dictionary(classes.map { ($0.name, $0) }) { first, _ in first }
    }

    package var file: GeneratedFile {
        var source = SourceText(head: [Self.fileName, "", SourceText.untouchable])
        source.add("", "import CoreData", "")
        source.add("/// The managed object classes of the module, for the library to find.")
        source.add("nonisolated public final class CoreDataGeneratedClasses: GeneratedClasses {")
        source.add(
            "/// Each class by the name that entities give it, with its properties in the order of their numbers.",
            depth: 1)
        if classes.isEmpty {
            source.add("public static var classes: [GeneratedClass] { [] }", depth: 1)
        } else {
            source.add("public static var classes: [GeneratedClass] {", depth: 1)
            source.add("[", depth: 2)
            for (index, subject) in classes.enumerated() {
                let name = SwiftName.escapedPath(subject.name)
                let literal = SwiftName.literal(subject.name)
                source.add("GeneratedClass(\(name).self, named: \(literal)) { table\(index) },", depth: 3)
            }
            source.add("]", depth: 2)
            source.add("}", depth: 1)
        }
        for (index, subject) in classes.enumerated() { add(subject, index, to: &source) }
        source.add("}")
        return GeneratedFile(name: Self.fileName, text: source.text)
    }

    private func add(_ subject: ModelClass, _ index: Int, to source: inout SourceText) {
        let superclass = SwiftName.escapedPath(subject.superclass)
        source.add("")
        source.add("private static var table\(index): PropertyTable {", depth: 1)
        source.add("PropertyTable(", depth: 2)
        source.add("extending: .of(\(superclass).self),", "[", depth: 3)
        source.add(subject.properties.map { entry($0, of: subject) }, depth: 4)
        let inherited = inherited(by: subject)
        source.add(inherited.isEmpty ? "])" : "],", depth: 3)
        if !inherited.isEmpty {
            source.add("inherited: [", depth: 3)
            source.add(inherited.map { "\(path($0.key, of: subject)): \(SwiftName.literal($0.key))," }, depth: 4)
            source.add("])", depth: 3)
        }
        source.add("}", depth: 1)
    }

    private func entry(_ property: ClassProperty, of subject: ModelClass) -> String {
        ".stored(\(SwiftName.literal(property.key)), \(path(property.key, of: subject))),"
    }

    private func path(_ key: String, of subject: ModelClass) -> String {
        "\\\(SwiftName.escapedPath(subject.name)).\(SwiftName.escaped(key))"
    }

    /// What the class inherits from superclasses of these tables: a key path through it is another one than theirs.
    private func inherited(by subject: ModelClass) -> [ClassProperty] {
        var properties: [ClassProperty] = []
        var visited: Set = [subject.name]
        var next = byName[subject.superclass]
        while let ancestor = next, visited.insert(ancestor.name).inserted {
            properties += ancestor.properties
            next = byName[ancestor.superclass]
        }
        return properties
    }
}
