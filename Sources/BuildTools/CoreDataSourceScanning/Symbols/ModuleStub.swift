/// A module reduced to the names of its types and its managed members, from which the compiler derives their symbols.
///
/// The mangled name of a property depends on the module, the types around it, the meaning of its written type and, if
/// it is private, the name of the file. The stub has all of these, but no bodies, superclasses and constraints, so it
/// compiles quickly and without the modules that the real module needs. Each accessor calls a numbered function, by
/// which `SymbolReader` finds the accessor in the compiler's output.
struct ModuleStub {
    /// A source of the stub, with the name of the real file that it replaces.
    struct Source: Equatable {
        let name: String
        let text: String
    }

    /// A getter, setter or method with a symbol; its number is its index in `accessors`.
    struct Accessor: Equatable {
        enum Role: Equatable {
            case getter(ManagedProperty)
            case setter(ManagedProperty)
            case method(ManagedMethod)
        }

        let path: String
        let role: Role
    }

    static let markerPrefix = "coredata_accessor_"
    /// The protocol that makes each type hashable, for sets and keys of dictionaries.
    static let conformance = "CoreDataSkeletonType"

    private let module: ScannedModule
    private let importable: Set<String>
    private let mentioned: Set<String>
    private var extended: Set<String> = []
    private(set) var accessors: [Accessor] = []
    private(set) var sources: [Source] = []

    /// `importable` are the modules that the compiler can import. `mentioned` are the names of needed types.
    init(_ module: ScannedModule, importable: Set<String>, mentioned: Set<String>? = nil) {
        self.module = module
        self.importable = importable
        self.mentioned = mentioned ?? Self.mentioned(in: [module])
        extended = extendedPaths
        sources = module.files.map { file in Source(name: file.name, text: text(of: file)) }
        sources.append(Source(name: "CoreDataAccessors.swift", text: markers))
    }

    // MARK: Names that matter

    /// All names in the types of managed members, and in the types of aliases among them.
    static func mentioned(in modules: [ScannedModule]) -> Set<String> {
        var aliases: [String: Set<Substring>] = [:]
        var waiting: [Substring] = []
        for module in modules {
            for file in module.files {
                for (_, part) in module.parts(of: file) {
                    if case .alias(let type) = part.kind { aliases[part.name, default: []].formUnion(names(in: type)) }
                    waiting += part.properties.flatMap { names(in: $0.type) }
                    waiting += part.methods.flatMap { method in
                        (method.parameters.map(\.type) + [method.result ?? ""]).flatMap(names)
                    }
                }
            }
        }
        var mentioned: Set<String> = []
        while let name = waiting.popLast() {
            if mentioned.insert(String(name)).inserted { waiting += aliases[String(name)] ?? [] }
        }
        return mentioned
    }

    private static func names(in type: String) -> [Substring] {
        type.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    }

    /// Whether the stub needs a type or extension for the managed members of the module.
    private func isWanted(_ type: ScannedType) -> Bool {
        switch type.kind {
        case .alias: mentioned.contains(type.name)
        case .extension: hasAccessors(type) || type.types.contains(where: isWanted)
        default: hasAccessors(type) || mentioned.contains(type.name) || type.types.contains(where: isWanted)
        }
    }

    private func hasAccessors(_ type: ScannedType) -> Bool {
        !type.properties.isEmpty || !type.methods.isEmpty || type.types.contains(where: hasAccessors)
    }

    // MARK: Text

    private mutating func text(of file: ScannedFile) -> String {
        var lines = file.imports.filter { importable.contains(ScannedFile.module(ofImport: $0)) }.map(line(ofImport:))
        lines.append("import \(StubModules.base)")
        for type in file.types { add(type, within: nil, to: &lines) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// An import line for the stub. An import of one declaration that no member mentions becomes an import of its
    /// module, since stubs declare only mentioned types.
    private func line(ofImport written: String) -> String {
        guard let declaration = ScannedFile.declaration(ofImport: written),
            !StubModules.system.contains(declaration.module), !mentioned.contains(declaration.name)
        else { return written }
        return "import " + declaration.module
    }

    private mutating func add(_ type: ScannedType, within outer: String?, to lines: inout [String]) {
        // The type of a needed extension is needed too (`isExtended`).
        guard isWanted(type) || isExtended(type, within: outer) else { return }
        let path = outer.map { $0 + "." + type.name } ?? type.name
        let parameters = type.parameters.isEmpty ? "" : "<\(type.parameters.joined(separator: ", "))>"
        let name = "\(type.name)\(parameters)"
        switch type.kind {
        case .alias(let aliased):
            lines.append("\(type.access.keyword) typealias \(name) = \(aliased)")
            return
        case .extension: lines.append("extension \(name) {")
        case .protocol: lines.append("\(type.access.keyword) protocol \(name) {")
        case .class: lines.append("\(type.access.keyword) class \(name): \(Self.conformance) {")
        case .struct: lines.append("\(word(type)) struct \(name): \(Self.conformance) {")
        case .enum:
            // An enum without cases has no values, and the compiler would omit its accessors as unreachable.
            lines.append("\(word(type)) enum \(name): \(Self.conformance) { case coreDataCase")
        case .actor: lines.append("\(word(type)) actor \(name) {")
        }
        for property in type.properties { add(property, path, to: &lines) }
        for method in type.methods { add(method, path, to: &lines) }
        for inner in type.types { add(inner, within: path, to: &lines) }
        lines.append("}")
    }

    private func isExtended(_ type: ScannedType, within outer: String?) -> Bool {
        type.kind != .extension && extended.contains(outer.map { $0 + "." + type.name } ?? type.name)
    }

    /// The paths of the types with needed extensions.
    private var extendedPaths: Set<String> {
        module.files.reduce(into: []) { paths, file in
            for (path, part) in module.parts(of: file) where part.kind == .extension && isWanted(part) {
                paths.insert(path)
            }
        }
    }

    private func word(_ type: ScannedType) -> String { min(type.access, .public).keyword }

    private mutating func add(_ property: ManagedProperty, _ path: String, to lines: inout [String]) {
        let getter = number(Accessor(path: path, role: .getter(property)))
        let setter = number(Accessor(path: path, role: .setter(property)))
        let access = min(property.access, .public).keyword
        let setting = min(property.settingAccess, .public).keyword
        lines.append(directive(property.place))
        lines.append(
            "\(access) \(access == setting ? "" : setting + "(set) ")var `\(property.name)`: \(property.type) "
                + "{ get { \(marker(getter))() } set { \(marker(setter))() } }")
    }

    private mutating func add(_ method: ManagedMethod, _ path: String, to lines: inout [String]) {
        let number = number(Accessor(path: path, role: .method(method)))
        let parameters = method.parameters.enumerated().map { place, parameter in
            "\(parameter.label) argument\(place): \(parameter.type)"
        }
        lines.append(directive(method.place))
        lines.append(
            "\(min(method.access, .public).keyword) func `\(method.name)`(\(parameters.joined(separator: ", "))) "
                + (method.result.map { "-> \($0) " } ?? "") + "{ \(marker(number))() }")
    }

    /// A directive that makes the compiler report errors at the place in the real source.
    private func directive(_ place: CodePlace) -> String {
        "#sourceLocation(file: \"\(place.file.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\", "
            + "line: \(place.line))"
    }

    private mutating func number(_ accessor: Accessor) -> Int {
        accessors.append(accessor)
        return accessors.count - 1
    }

    private func marker(_ number: Int) -> String { Self.markerPrefix + String(number) }

    private var markers: String {
        accessors.indices.map { number in
            "@_silgen_name(\"\(marker(number))\") func \(marker(number))() -> Never\n"
        }.joined()
    }
}
