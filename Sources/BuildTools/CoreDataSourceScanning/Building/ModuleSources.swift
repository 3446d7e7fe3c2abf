import CoreDataModelCompiler
import Dispatch
import Synchronization

/// The Swift sources of a module, of which only those that affect managed classes are parsed.
///
/// A source matters if it names managed objects, declares the type of a managed property, or extends or inherits from a
/// managed class. It is read once, and scanned for each combination of conditions that a build may set.
struct ModuleSources {
    private struct File {
        let path: String
        let data: Data
        let outline: SourceOutline
        var scanned: ScannedFile?
    }

    let name: String
    private var files: [File]
    private let models: [ModelClass]

    /// Reads files; skips those that cannot be read, which the compiler reports.
    init(name: String, paths: [String], models: [ModelClass] = []) {
        self.name = name
        self.models = models
        files = Self.concurrently(paths) { path in
            (try? Data(contentsOf: URL(fileURLWithPath: path))).map {
                File(path: path, data: $0, outline: SourceOutline($0))
            }
        }.compactMap(\.self)
    }

    /// The modules that the sources import.
    var imports: Set<String> { files.reduce(into: []) { $0.formUnion($1.outline.imports) } }

    /// The names that may refer to types of other modules: the types of managed members, and superclasses.
    var foreignNames: Set<String> {
        files.reduce(into: ModuleStub.mentioned(in: [module()])) { $0.formUnion($1.outline.inherited) }
    }

    /// The names of the classes in the sources that were scanned.
    var classNames: Set<String> { Set(module().classes.flatMap { Self.words($0.path) }) }

    /// The names among `names` that top-level types or aliases of the module have, if they are not private.
    func declaredNames(among names: [String]) -> Set<String> {
        let wanted = Set(names)
        let indices = files.indices.filter { !files[$0].outline.declared.isDisjoint(with: wanted) }
        return scan(indices, conditions: []).reduce(into: []) { found, file in
            for type in file.types
            where type.kind != .extension && type.access >= .internal && wanted.contains(type.name) {
                found.insert(type.name)
            }
        }
    }

    // MARK: Scanning

    /// Scans the sources that name managed objects, and all sources that those depend on, as `scanNamed` finds them.
    mutating func scanManaged(besides names: Set<String> = []) {
        scan { $0.isAboutManagedObjects }
        scanNamed(names)
    }

    /// Scans the sources that declare, extend or inherit from one of some types, and repeats this for the types that
    /// the scanned sources name until no source is added.
    mutating func scanNamed(_ names: Set<String>) {
        while true {
            let module = module()
            let classes = names.union(module.classes.flatMap { Self.words($0.path) }).union(models.map(\.name))
            let supers = module.classes.flatMap { $0.type.inherited.prefix(1).flatMap(Self.words) }
            let types = ModuleStub.mentioned(in: [module]).union(names).union(supers)
            let isFound = scan { outline in
                !outline.declared.isDisjoint(with: types) || !outline.extended.isDisjoint(with: classes)
                    || !outline.inherited.isDisjoint(with: classes)
            }
            if !isFound { return }
        }
    }

    /// Scans the sources not yet scanned whose outlines satisfy a condition; returns whether there were any.
    @discardableResult
    private mutating func scan(where isWanted: (SourceOutline) -> Bool) -> Bool {
        let wanted = files.indices.filter { files[$0].scanned == nil && isWanted(files[$0].outline) }
        for (index, file) in zip(wanted, scan(wanted, conditions: [])) { files[index].scanned = file }
        return !wanted.isEmpty
    }

    private func scan(_ indices: [Int], conditions: Set<String>) -> [ScannedFile] {
        let scanner = SourceScanner(conditions: conditions.union(["SWIFT_PACKAGE"]))
        return Self.concurrently(indices.map { files[$0] }) { file in
            scanner.scan(String(decoding: file.data, as: UTF8.self), file: file.path)
        }
    }

    private static func words(_ path: String) -> [String] { path.split { $0 == "." || $0 == "<" }.map(String.init) }

    /// Returns the results of `make` for all elements, in their order, computed in parallel.
    private static func concurrently<Thing: Sendable, Result: Sendable>(
        _ things: [Thing], _ make: @Sendable (Thing) -> Result
    ) -> [Result] {
        let results = Mutex([Result?](repeating: nil, count: things.count))
        DispatchQueue.concurrentPerform(iterations: things.count) { index in
            let made = make(things[index])
            results.withLock { $0[index] = made }
        }
        return results.withLock { $0.compactMap(\.self) }
    }

    // MARK: What was scanned

    /// The module with the scanned sources, scanned again for the set conditions where those affect them.
    func module(conditions: Set<String> = []) -> ScannedModule {
        var scanned = files.map(\.scanned)
        let concerned = scanned.indices.filter { !(scanned[$0]?.flags.isDisjoint(with: conditions) ?? true) }
        for (index, file) in zip(concerned, scan(concerned, conditions: conditions)) { scanned[index] = file }
        let known = scanned.compactMap(\.self)
        return ScannedModule(name: name, files: known + Self.file(of: models, besides: known))
    }

    /// The compilation conditions that types and members depend on.
    var flags: Set<String> {
        var known: Set<String> = []
        while true {
            let found = module(conditions: known).files.reduce(into: known) { $0.formUnion($1.flags) }
            if found == known { return known }
            known = found
        }
    }

    /// A file with the classes that models generate, as if a source declared them; none if the sources declare all.
    private static func file(of models: [ModelClass], besides files: [ScannedFile]) -> [ScannedFile] {
        let declared = Set(files.flatMap(\.types).filter { $0.kind == .class }.map(\.name))
        let types = models.filter { $0.generation == .definition && !declared.contains($0.name) }.map { model in
            ScannedType(
                kind: .class, name: model.name, parameters: [], inherited: [model.superclass], access: .public,
                place: CodePlace(file: "", line: 1, column: 1))
        }
        return types.isEmpty ? [] : [ScannedFile(name: "CoreDataModelClasses.swift", imports: [], types: types)]
    }
}
