import CoreDataModelCompiler

/// The compiled stubs of the modules that another stub imports, in a folder that persists between builds.
struct StubLibrary {
    private let compiler: CompilerRun
    private let folder: URL
    /// Whether a module was compiled: then all later modules are compiled too, since they may import it.
    private var hasChanged = false
    /// The modules that a stub can import.
    private(set) var importable = StubModules.system

    /// Compiles the modules that every stub can import.
    ///
    /// - Throws: `CompilerRun.Failure`, errors of the file system.
    init(compiler: CompilerRun, folder: URL) throws {
        (self.compiler, self.folder) = (compiler, folder)
        try add(StubModules.base, [ModuleStub.Source(name: "Base.swift", text: StubModules.baseText)])
        for own in StubModules.own { try add(own.name, [ModuleStub.Source(name: "Types.swift", text: own.text)]) }
    }

    /// Adds a module; compiles it unless the folder has it compiled from the same sources by the same compiler.
    mutating func add(_ name: String, _ sources: [ModuleStub.Source]) throws {
        try make(name, sources: sources, options: ["-emit-module"], to: name + ".swiftmodule")
        importable.insert(name)
    }

    /// Returns the SIL that the compiler emits for a module (`-emit-silgen`).
    mutating func code(of name: String, _ sources: [ModuleStub.Source]) throws -> String {
        let file = name + ".sil"
        try make(name, sources: sources, options: ["-emit-silgen"], to: file)
        return try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    }

    private mutating func make(
        _ name: String, sources: [ModuleStub.Source], options: [String], to output: String
    ) throws {
        let output = folder.appendingPathComponent(output)
        let stamp = output.appendingPathExtension("stamp")
        let contents = Data(
            ([compiler.identity] + sources.flatMap { [$0.name, $0.text] }).joined(separator: "\0").utf8)
        let manager = FileManager.default
        if !hasChanged, manager.fileExists(atPath: output.path), (try? Data(contentsOf: stamp)) == contents { return }
        hasChanged = true
        try? manager.removeItem(at: stamp)
        let files = try write(sources, in: folder.appendingPathComponent(name + ".sources"))
        try compiler.run(
            options + [
                "-parse-as-library", "-suppress-warnings", "-package-name", "package", "-module-name", name, "-I",
                folder.path,
            ] + files + ["-o", output.path])
        try contents.write(to: stamp)
    }

    private func write(_ sources: [ModuleStub.Source], in folder: URL) throws -> [String] {
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try sources.map { source in
            let file = folder.appendingPathComponent(source.name)
            try Data(source.text.utf8).write(to: file)
            return file.path
        }
    }
}
