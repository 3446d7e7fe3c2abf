import CoreDataModelCompiler
import Dispatch
import Synchronization

/// The Swift sources of a module, read once and scanned for each choice of the conditions that a build may set.
struct ModuleSources {
    let name: String
    private let texts: [(path: String, text: String)]
    private let plain: [ScannedFile]

    /// Reads files; one that cannot be read is the compiler's to tell of.
    init(name: String, paths: [String]) {
        self.name = name
        texts = paths.compactMap { path in
            (try? Data(contentsOf: URL(fileURLWithPath: path))).map { (path, String(decoding: $0, as: UTF8.self)) }
        }
        plain = Self.scan(texts, conditions: [])
    }

    /// The module for conditions that are set.
    func module(conditions: Set<String> = [], models: [ModelClass] = []) -> ScannedModule {
        var files = plain
        let concerned = files.indices.filter { !files[$0].flags.isDisjoint(with: conditions) }
        let scanned = Self.scan(concerned.map { texts[$0] }, conditions: conditions)
        for (index, file) in zip(concerned, scanned) { files[index] = file }
        return ScannedModule(name: name, files: files + Self.file(of: models, besides: files))
    }

    /// The conditions that types and members depend on.
    var flags: Set<String> {
        var known: Set<String> = []
        while true {
            let found = module(conditions: known).files.reduce(into: known) { $0.formUnion($1.flags) }
            if found == known { return known }
            known = found
        }
    }

    private static func scan(_ texts: [(path: String, text: String)], conditions: Set<String>) -> [ScannedFile] {
        let scanner = SourceScanner(conditions: conditions.union(["SWIFT_PACKAGE"]))
        let files = Mutex([ScannedFile?](repeating: nil, count: texts.count))
        DispatchQueue.concurrentPerform(iterations: texts.count) { index in
            let file = scanner.scan(texts[index].text, file: texts[index].path)
            files.withLock { $0[index] = file }
        }
        return files.withLock { $0.compactMap(\.self) }
    }

    /// The classes that models generate, as if a source declared them.
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
