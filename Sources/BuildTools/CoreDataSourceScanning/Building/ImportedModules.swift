import CoreDataModelCompiler

/// The modules that a module imports, directly or through others, as far as their sources are known.
struct ImportedModules {
    /// The modules in the order of dependencies: each after the modules that it imports.
    private(set) var modules: [ScannedModule] = []
    /// The names of the classes in the scanned sources of these modules.
    private(set) var classNames: Set<String> = []

    /// Scans those sources of the imported modules that declare, extend or inherit from types that `module` names.
    init(by module: ModuleSources, in list: SourceList) {
        var visited: Set = [module.name]
        add(module.imports, names: module.foreignNames, list: list, visited: &visited)
    }

    private mutating func add(
        _ imports: Set<String>, names: Set<String>, list: SourceList, visited: inout Set<String>
    ) {
        for name in imports.intersection(list.modules).sorted() where visited.insert(name).inserted {
            var sources = ModuleSources(
                name: name, paths: list.others[name] ?? [], models: ModuleBuild.classes(of: list.models[name] ?? []))
            sources.scanNamed(names)
            add(sources.imports, names: names.union(sources.foreignNames), list: list, visited: &visited)
            modules.append(sources.module())
            classNames.formUnion(sources.classNames)
        }
    }
}
