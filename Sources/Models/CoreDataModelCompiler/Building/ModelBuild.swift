import CoreDataModeling

/// What a build makes of one model: the compiled model and the sources of its classes.
package struct ModelBuild {
    package let model: URL
    /// The module that the sources belong to.
    package let module: String

    package init(model: URL, module: String) {
        self.model = model
        self.module = module
    }

    /// The name of the model's own source, which is without declarations, as in Xcode.
    package static func modelFileName(of model: URL) -> String {
        model.deletingPathExtension().lastPathComponent + "+CoreDataModel.swift"
    }

    /// Compiles the model into a `.momd` and writes the sources of its classes into a folder.
    ///
    /// The build has announced the files it compiles, perhaps before the model was edited: one that the model does not need
    /// contains only a comment, and a class without a file is written into the model's own. The folder belongs to the build: other
    /// sources in it are removed.
    /// - Returns: the diagnostics of the model; nothing is written if one of them is an error.
    /// - Throws: `ModelingError`: a class that cannot be generated, or the error of writing.
    package func run(compiled: URL, sources: URL, announced: [String]) throws -> [ModelCompilation.Diagnostic] {
        let compilation = ModelCompilation(of: model, version: nil)
        guard compilation.errors.isEmpty, let current = compilation.currentModel else { return compilation.diagnostics }
        let classes = try located { try ModelClasses(of: current) }
        let files = files(classes, announced: announced)
        compilation.qualifyClasses(module: module)
        try write(try compilation.compiledPackage(), to: compiled)
        try SourceFolder(url: sources).write(files)
        return compilation.diagnostics
    }

    /// The files of the classes under the names that were announced; the model's own file contains the other classes.
    private func files(_ classes: ModelClasses, announced: [String]) -> [GeneratedFile] {
        let own = Self.modelFileName(of: model)
        let made = classes.generated.flatMap { AccessorSource($0, among: classes).files }
        let expected = made.filter { announced.contains($0.name) && $0.name != own }
        let others = made.filter { file in !expected.contains { $0.name == file.name } }
        let names = Set(expected.map(\.name))
        let comments = announced.filter { !names.contains($0) && $0 != own }.map(Self.emptyFile)
        let text = ([Self.emptyFile(own)] + others).map(\.text).joined(separator: "\n")
        return expected + comments + [GeneratedFile(name: own, text: text)]
    }

    /// The result of a step, with the model's path in its errors.
    private func located<Result>(_ step: () throws -> Result) throws -> Result {
        do { return try step() } catch let error as ModelingError { throw error.at(path: model.path) }
    }

    private static func emptyFile(_ name: String) -> GeneratedFile {
        GeneratedFile(name: name, text: SourceText(head: [name, "", SourceText.untouchable]).text)
    }

    /// Writes the folder unless it has these bytes.
    private func write(_ package: CompiledModelPackage, to url: URL) throws {
        let files = try package.contents()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        let isSame =
            Set(names) == Set(files.keys)
            && files.allSatisfy { (try? Data(contentsOf: url.appendingPathComponent($0.key))) == $0.value }
        if !isSame { try package.write(to: url) }
    }
}
