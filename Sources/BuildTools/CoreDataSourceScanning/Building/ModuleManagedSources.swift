import CoreDataModelCompiler

/// The code generated for a module's own sources: property tables of its classes, and accessors of its managed
/// properties.
struct ModuleManagedSources {
    private(set) var tables = ""
    /// The accessors' source; empty if no member is marked `@NSManaged`: then the compiler is not run.
    private(set) var accessors = ""
    /// Whether the sources import the library.
    let usesLibrary: Bool
    /// The names among the library's aliases that the module declares itself.
    let ownAliases: Set<String>
    private(set) var findings: [ScanFinding] = []

    /// Scans the sources for each combination of the conditions that affect managed classes, and generates the code.
    ///
    /// - Throws: the compiler's failure; errors of the file system.
    init(_ build: ModuleBuild.Sources, models: [ModelClass]) throws {
        var scanning = ModuleSources(name: build.module, paths: build.list.sources, models: models)
        scanning.scanManaged()
        let imported = ImportedModules(by: scanning, in: build.list)
        scanning.scanManaged(besides: imported.classNames)
        let sources = scanning
        let plain = sources.module()
        let others = imported.modules
        usesLibrary = sources.imports.contains("CoreData")
        ownAliases = sources.declaredNames(among: AliasSource.names)
        let choices = ConditionChoices(sources.flags) { conditions in
            ManagedModule(sources.module(conditions: conditions), models: models, others: others)
        }
        findings = choices.findings(in: plain) + choices.outcomes.flatMap(\.findings)
        guard findings.isEmpty else { return }
        var texts: [(tables: String, accessors: String)] = []
        var imports: Set<String> = []
        for (index, outcome) in choices.outcomes.enumerated() {
            let hasTable = usesLibrary || !models.isEmpty
            let table =
                hasTable
                ? PropertyTableSource(
                    outcome.tableClasses, hidden: outcome.hiddenClasses, objects: outcome.classes.objects,
                    imports: outcome.superclassImports, module: build.module
                ).file.text
                : ""
            var accessors = ""
            if outcome.hasMembers {
                var writer = AccessorWriter(outcome.module, outcome.classes)
                let folder = build.work.appendingPathComponent("ModuleStub\(index)")
                let entries = try outcome.entries(others, compiler: build.compiler, folder: folder)
                accessors = writer.text(entries)
                findings += writer.findings
                imports.formUnion(writer.imports)
            }
            texts.append((table, accessors))
        }
        tables = choices.merged(texts.map(\.tables))
        let body = choices.merged(texts.map(\.accessors))
        guard !imports.isEmpty else { return }
        var source = SourceText(head: [AccessorWriter.fileName, "", SourceText.untouchable])
        source.add("")
        source.add(imports.sorted())
        accessors = source.text + body
    }
}

/// A module for one combination of conditions, with its managed classes.
struct ManagedModule {
    let module: ScannedModule
    let classes: ManagedClasses
    private let models: [ModelClass]

    init(_ module: ScannedModule, models: [ModelClass], others: [ScannedModule]) {
        self.module = module
        self.models = models
        classes = ManagedClasses(of: module, models: models, others: others)
    }

    var findings: [ScanFinding] { module.files.flatMap(\.findings) + classes.findings }

    /// Whether something is marked `@NSManaged`.
    var hasMembers: Bool { classes.classes.contains { !$0.properties.isEmpty || !$0.methods.isEmpty } }

    /// Obtains the accessors' symbols from the compiler; its errors name the members that they concern.
    func entries(_ others: [ScannedModule], compiler: URL, folder: URL) throws -> [AccessorSymbols.Entry] {
        do {
            return try AccessorSymbols(of: module, others: others, compiler: compiler, folder: folder).entries
        } catch let failure as CompilerRun.Failure {
            throw CompilerRun.Failure(description: CompilerErrors(failure.description, module).description)
        }
    }

    /// The classes that get tables: those of models in their order, then the others.
    var tableClasses: [ModelClass] {
        let merged = classes.classes.filter(\.isRegistered).map(\.tableClass)
        let byName = Dictionary(merged.map { ($0.name, $0) }) { first, _ in first }
        let modelled = models.map { byName[$0.name] ?? $0 }
        let names = Set(modelled.map(\.name))
        return modelled + merged.filter { !names.contains($0.name) }
    }

    /// The classes that get tables but that other files cannot name.
    var hiddenClasses: [ModelClass] { classes.classes.filter { !$0.isReachable }.map(\.tableClass) }

    /// The imports of the files that declare classes with superclasses of other modules.
    var superclassImports: Set<String> {
        let foreign = Set(
            classes.classes.filter { $0.superclass != ModelClass.root && classes[$0.superclass] == nil }.map(\.path))
        let files = module.files.filter { file in
            module.parts(of: file).contains { $0.part.kind == .class && foreign.contains($0.path) }
        }
        return Set(files.flatMap(\.plainImports))
    }

    /// Whether the code generated for both modules is the same.
    func isAlike(_ other: ManagedModule) -> Bool {
        classes == other.classes && !hasMembers && !other.hasMembers
            || classes == other.classes && stub == other.stub
    }

    private var stub: [ModuleStub.Source] { ModuleStub(module, importable: []).sources }
}

extension ManagedClass {
    /// Whether the generated tables include the class: other files can name it, and it does not override
    /// `propertyTable` unless it has numbered keys.
    fileprivate var isRegistered: Bool { isReachable && (!overridesTable || !numberedKeys.isEmpty) }

    fileprivate var tableClass: ModelClass {
        var table =
            generated
            ?? ModelClass(name: path, entityName: nil, superclass: superclass, generation: .manual, properties: [])
        let reachable = Set(properties.filter { $0.access >= .internal }.map(\.name))
        table.managed = numberedKeys.dropFirst(table.properties.count).map { key in
            ManagedKey(key: key, isReachable: reachable.contains(key))
        }
        let numbered = Set(numberedKeys)
        table.keyed = keyed.filter { if case .property(let key) = $0 { !numbered.contains(key) } else { true } }
        table.foreignKeys = foreignKeys
        return table
    }
}
