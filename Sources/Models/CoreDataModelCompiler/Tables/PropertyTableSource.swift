/// The file that declares a module's managed object classes to the library, with their properties.
///
/// Finding a class's properties by name at run time needs the Objective-C runtime; this file replaces it.
package struct PropertyTableSource {
    /// The name of the file.
    package static let fileName = "CoreDataGeneratedClasses.swift"

    private let classes: [ModelClass]
    private let byName: [String: ModelClass]
    private let imports: [String]
    private let hidden: [ModelClass]
    private let module: String?
    private let objects: [KeyedObject]

    /// Makes the file for generated classes, and for classes whose properties come from source code.
    ///
    /// `imports` are the import declarations for superclasses in other modules: `import Models`; `hidden` are classes
    /// that only their own files can name; `objects` are other classes whose properties are accessed by key. If
    /// `module` is not nil, the file registers the module by this name when a program loads it.
    package init(
        _ classes: [ModelClass], hidden: [ModelClass] = [], objects: [KeyedObject] = [], imports: Set<String> = [],
        module: String? = nil
    ) {
        self.classes = classes
        self.hidden = hidden
        self.objects = objects
        self.module = module
        self.imports = imports.subtracting(["import CoreData"]).sorted()
        byName = Dictionary(classes.map { ($0.name, $0) }) { first, _ in first }
    }

    package var file: GeneratedFile {
        var source = SourceText(head: [Self.fileName, "", SourceText.untouchable])
        source.add("", "import CoreData")
        source.add(imports + [""])
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
        addHidden(to: &source)
        source.add("}")
        KeyedObjectSource.add(objects, to: &source)
        addNote(to: &source)
        return GeneratedFile(name: Self.fileName, text: source.text)
    }

    private func addHidden(to source: inout SourceText) {
        guard !hidden.isEmpty else { return }
        source.add("", "/// The classes that only their own files can name.", depth: 1)
        source.add("public static var hiddenClasses: [HiddenClass] {", "    [", depth: 1)
        for (index, subject) in hidden.enumerated() {
            source.add("HiddenClass(named: \(SwiftName.literal(subject.name))) { hiddenTable\(index) },", depth: 3)
        }
        source.add("    ]", "}", depth: 1)
        for (index, subject) in hidden.enumerated() {
            let above = hidden.firstIndex { $0.name == subject.superclass }
            let table = above.map { "hiddenTable\($0)" } ?? ".of(\(SwiftName.escapedPath(subject.superclass)).self)"
            let keys = subject.managed.map { ".stored(\(SwiftName.literal($0.key)))" }.joined(separator: ", ")
            source.add("", "private static var hiddenTable\(index): PropertyTable {", depth: 1)
            source.add("PropertyTable(extending: \(table), [\(keys)])", depth: 2)
            source.add("}", depth: 1)
        }
    }

    /// Adds code that registers the module; classes that entities name without a module are searched in registered
    /// modules.
    private func addNote(to source: inout SourceText) {
        guard let module else { return }
        source.add(
            "", "#if compiler(>=6.3) && !os(Windows)", "/// Runs when the program is loaded.",
            "@section(\".init_array\") @used",
            "nonisolated private let coreDataModuleNote: @convention(c) () -> Void = {",
            "    coreDataNote((\(SwiftName.literal(module)) as StaticString).utf8Start)", "}",
            "@_silgen_name(\"coredata_note_module\")",
            "nonisolated private func coreDataNote(_ name: UnsafePointer<UInt8>)", "#endif")
    }

    private func add(_ subject: ModelClass, _ index: Int, to source: inout SourceText) {
        let superclass = SwiftName.escapedPath(subject.superclass)
        source.add("")
        source.add("private static var table\(index): PropertyTable {", depth: 1)
        source.add("PropertyTable(", depth: 2)
        source.add("extending: .of(\(superclass).self),", "[", depth: 3)
        source.add(subject.properties.map { entry($0, of: subject) }, depth: 4)
        source.add(subject.managed.map { entry($0, of: subject) }, depth: 4)
        let keyed = subject.keyed.map { entry($0, of: subject) }
        let inherited = inherited(by: subject).map { "\(path($0, of: subject)): \(SwiftName.literal($0))," }
        let further = [("keyed", keyed), ("inherited", inherited)].filter { !$0.1.isEmpty }
        for (label, lines) in further {
            source.add("],", "\(label): [", depth: 3)
            source.add(lines, depth: 4)
        }
        source.add("])", depth: 3)
        source.add("}", depth: 1)
    }

    private func entry(_ managed: ManagedKey, of subject: ModelClass) -> String {
        let key = SwiftName.literal(managed.key)
        return managed.isReachable ? ".stored(\(key), \(path(managed.key, of: subject)))," : ".stored(\(key)),"
    }

    private func entry(_ keyed: KeyedEntry, of subject: ModelClass) -> String {
        let name = SwiftName.escapedPath(subject.name)
        switch keyed {
        case .property(let key): return ".computed(\(SwiftName.literal(key)), \(path(key, of: subject))),"
        case .validator(let key, let method):
            let call = "{ (object: \(name)) in { try object.\(SwiftName.escaped(method))($0) } }"
            return ".known(\(SwiftName.literal(key))).validated(by: \(call)),"
        case .dependencies(let key, let call):
            return ".known(\(SwiftName.literal(key))).affected(by: \(name).\(call)),"
        }
    }

    private func entry(_ property: ClassProperty, of subject: ModelClass) -> String {
        ".stored(\(SwiftName.literal(property.key)), \(path(property.key, of: subject))),"
    }

    private func path(_ key: String, of subject: ModelClass) -> String {
        "\\\(SwiftName.escapedPath(subject.name)).\(SwiftName.escaped(key))"
    }

    /// The properties that the class inherits from superclasses in these tables, since key paths through the class
    /// differ from those through the superclass.
    private func inherited(by subject: ModelClass) -> [String] {
        var keys = subject.foreignKeys
        var visited: Set = [subject.name]
        var next = byName[subject.superclass]
        while let ancestor = next, visited.insert(ancestor.name).inserted {
            keys += ancestor.properties.map(\.key) + ancestor.managed.filter(\.isReachable).map(\.key)
            keys += ancestor.keyed.compactMap { if case .property(let key) = $0 { key } else { nil } }
            next = byName[ancestor.superclass]
        }
        let own = Set(subject.properties.map(\.key) + subject.managed.map(\.key))
        return keys.reduce(into: []) { unique, key in
            if !own.contains(key), !unique.contains(key) { unique.append(key) }
        }
    }
}
