import CoreDataModelCompiler

/// The modules that a module imports, directly or through others, as far as their sources are known.
struct ImportedModules {
    /// Each behind those that it imports itself.
    private(set) var modules: [ScannedModule] = []
    /// The names of their classes that were asked for.
    private(set) var classNames: Set<String> = []

    /// Scans of the modules' sources what has some names.
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
