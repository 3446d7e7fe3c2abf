import CoreDataModelCompiler

/// The classes of managed objects of a module.
///
/// A class is managed if its superclasses lead to `NSManagedObject`, according to the sources of the module, of the modules it
/// depends on, and their models, or if it has a property that is marked `@NSManaged`.
struct ManagedClasses: Equatable {
    private(set) var classes: [ManagedClass] = []
    /// The classes below `NSObject` that are not managed and have properties that are read by key.
    private(set) var objects: [KeyedObject] = []
    private(set) var findings: [ScanFinding] = []

    /// `models` are the classes that the module's own models generate, `others` the modules it depends on.
    init(of module: ScannedModule, models: [ModelClass], others: [ScannedModule] = []) {
        let family = ClassFamily(module: module, others: others, models: models)
        let generated = Dictionary(models.map { ($0.name, $0) }) { first, _ in first }
        var found: [String: ManagedClass] = [:]
        var order: [String] = []
        for declared in module.classes where declared.type.kind == .class {
            guard family.isManaged(declared.path) else { continue }
            let superclass = family.superclass(of: declared.path) ?? ModelClass.root
            if found[declared.path] == nil { order.append(declared.path) }
            found[declared.path] = ManagedClass(
                path: declared.path, superclass: superclass, isReachable: declared.isReachable,
                generated: generated[declared.path])
        }
        for model in models where found[model.name] == nil && model.generation == .definition {
            order.append(model.name)
            found[model.name] = ManagedClass(
                path: model.name, superclass: model.superclass, isReachable: true, generated: model)
        }
        objects = KeyedObject.all(in: module, family)
        for part in module.classes {
            guard found[part.path] != nil else {
                refuse(
                    part.type, "is in an extension of a class that is not this module's: move it to the class's own.")
                continue
            }
            found[part.path]?.add(part.type, showsMembers: family.showsMembers(part.path))
        }
        for path in order { found[path]?.foreignKeys = family.foreignKeys(of: path) }
        classes = order.compactMap { found[$0] }
        for subject in classes { check(subject) }
    }

    /// The class itself or its nearest superclass that other files can name.
    func reachablePath(of path: String) -> String {
        var path = path
        for _ in 0...classes.count {
            guard let subject = self[path], !subject.isReachable else { break }
            path = subject.superclass
        }
        return path
    }

    /// The classes that only their own files can name, each with the superclass that replaces it in other files.
    var substitutes: [String: String] {
        let hidden = classes.filter { !$0.isReachable }
        let pairs = hidden.flatMap { subject in
            let substitute = SwiftName.escapedPath(reachablePath(of: subject.path))
            let own = subject.path.split(separator: ".").last.map(String.init) ?? subject.path
            return [(subject.path, substitute), (own, substitute)]
        }
        return Dictionary(pairs) { first, _ in first }
    }

    subscript(path: String) -> ManagedClass? { classes.first { $0.path == path } }

    /// Adds a finding for each managed member of a type, with the reason why no accessor can be generated.
    private mutating func refuse(_ type: ScannedType, _ reason: String) {
        for property in type.properties { refuse(property.place, "property '\(property.name)' \(reason)") }
        for method in type.methods { refuse(method.place, "method '\(method.fullName)' \(reason)") }
    }

    private mutating func refuse(_ place: CodePlace, _ message: String) {
        findings.append(ScanFinding(place: place, message: "The @NSManaged \(message)"))
    }

    private mutating func check(_ subject: ManagedClass) {
        guard subject.generated?.generation == .definition else { return }
        for property in subject.properties where !subject.isPrimitive(property.name) {
            refuse(
                property.place,
                "property '\(property.name)' is in a class that is generated as a whole: give the entity "
                    + "'\(subject.generated?.entityName ?? subject.path)' the code generation 'Category/Extension' or "
                    + "'Manual/None'.")
        }
    }
}

extension ManagedClass {
    fileprivate mutating func add(_ part: ScannedType, showsMembers: Bool) {
        properties += part.properties
        methods += part.methods
        keyed += part.keyed.entries(all: showsMembers)
        overridesTable = overridesTable || part.overridesTable
    }
}

extension ScannedModule {
    /// The classes and extensions of the module that are not generic, with the paths of the classes, and whether other
    /// files can name them.
    var classes: [(path: String, type: ScannedType, isReachable: Bool)] {
        var classes: [(path: String, type: ScannedType, isReachable: Bool)] = []
        for file in files {
            var hidden: [String] = []
            for (path, part) in parts(of: file) {
                if part.kind != .extension, part.access < .internal { hidden.append(path) }
                guard part.kind == .class || part.kind == .extension, part.parameters.isEmpty else { continue }
                let isHidden = hidden.contains { path == $0 || path.hasPrefix($0 + ".") }
                classes.append((path, part, !isHidden))
            }
        }
        return classes
    }
}
