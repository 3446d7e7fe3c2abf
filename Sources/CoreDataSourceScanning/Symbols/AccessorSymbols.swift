import CoreDataFoundation

/// The symbols that a module's managed properties and methods are called by, as the compiler itself names them.
package struct AccessorSymbols {
    /// A managed property or method with its symbols.
    package struct Entry: Equatable, Sendable {
        package enum Member: Equatable, Sendable {
            case property(ManagedProperty, getter: String, setter: String)
            case method(ManagedMethod, symbol: String)
        }

        /// The path of the class, such as `Outer.Inner`.
        package let path: String
        package let member: Member
    }

    /// In the order of the sources.
    package let entries: [Entry]

    /// Asks the compiler.
    ///
    /// `others` are the modules that the module imports and whose sources are known. Files are written into `folder`, which
    /// is made anew.
    /// - Throws: `CompilerRun.Failure` with the compiler's errors, which name places in the sources; errors of the file
    ///   system.
    package init(
        of module: ScannedModule, others: [ScannedModule] = [], compiler: URL, folder: URL
    ) throws {
        let run = CompilerRun(compiler: compiler)
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var importable = SkeletonModules.system
        func emit(_ name: String, _ sources: [Skeleton.Source]) throws {
            let files = try Self.write(sources, in: folder.appendingPathComponent(name + ".sources"))
            try run.run(
                ["-emit-module"] + Self.options(name, folder) + files
                    + ["-o", folder.appendingPathComponent(name + ".swiftmodule").path])
            importable.insert(name)
        }
        try emit(SkeletonModules.base, [Skeleton.Source(name: "Base.swift", text: SkeletonModules.baseText)])
        for own in SkeletonModules.own { try emit(own.name, [Skeleton.Source(name: "Types.swift", text: own.text)]) }
        let mentioned = Skeleton.mentioned(in: [module] + others)
        let imported = Set(module.files.flatMap(\.imports))
        for other in others where imported.contains("import " + other.name) {
            try emit(other.name, Skeleton(other, importable: importable, mentioned: mentioned).sources)
        }
        let skeleton = Skeleton(module, importable: importable, mentioned: mentioned)
        let files = try Self.write(skeleton.sources, in: folder.appendingPathComponent(module.name + ".sources"))
        let printed = folder.appendingPathComponent(module.name + ".sil")
        try run.run(["-emit-silgen"] + Self.options(module.name, folder) + files + ["-o", printed.path])
        let symbols = SymbolReader.symbols(in: try String(contentsOf: printed, encoding: .utf8))
        entries = try Self.entries(skeleton.accessors, symbols)
    }

    private static func options(_ module: String, _ folder: URL) -> [String] {
        [
            "-parse-as-library", "-suppress-warnings", "-package-name", "package", "-module-name", module, "-I",
            folder.path,
        ]
    }

    private static func write(_ sources: [Skeleton.Source], in folder: URL) throws -> [String] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try sources.map { source in
            let file = folder.appendingPathComponent(source.name)
            try Data(source.text.utf8).write(to: file)
            return file.path
        }
    }

    private static func entries(_ accessors: [Skeleton.Accessor], _ symbols: [Int: String]) throws -> [Entry] {
        func symbol(_ number: Int) throws -> String {
            guard let symbol = symbols[number] else {
                throw CompilerRun.Failure(
                    description: "The compiler gave no name for an accessor of \(accessors[number].path).")
            }
            return symbol
        }
        return try accessors.indices.compactMap { number in
            let path = accessors[number].path
            switch accessors[number].role {
            case .getter(let property):
                // A setter follows its getter.
                return Entry(
                    path: path,
                    member: .property(property, getter: try symbol(number), setter: try symbol(number + 1)))
            case .setter: return nil
            case .method(let method): return Entry(path: path, member: .method(method, symbol: try symbol(number)))
            }
        }
    }
}
