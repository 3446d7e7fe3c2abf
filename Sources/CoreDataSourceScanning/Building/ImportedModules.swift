import CoreDataModelCompiler

/// The modules that a module imports, directly or through others, as far as their sources are known.
struct ImportedModules {
    /// Each behind those that it imports itself; members are left out, types stay.
    private(set) var modules: [ScannedModule] = []

    init(by module: ScannedModule, in list: SourceList) {
        var visited: Set = [module.name]
        add(Self.imports(of: module), list, &visited)
    }

    private mutating func add(_ names: Set<String>, _ list: SourceList, _ visited: inout Set<String>) {
        for name in names.intersection(list.modules).sorted() where visited.insert(name).inserted {
            let sources = ModuleSources(name: name, paths: list.others[name] ?? [])
            let module = sources.module(models: ModuleBuild.classes(of: list.models[name] ?? []))
            add(Self.imports(of: module), list, &visited)
            modules.append(module)
        }
    }

    private static func imports(of module: ScannedModule) -> Set<String> {
        module.files.reduce(into: []) { $0.formUnion($1.importedModules) }
    }
}
