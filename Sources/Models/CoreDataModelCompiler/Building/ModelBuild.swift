import CoreDataModeling

/// Makes the outputs of a build from one model: the compiled model and the sources of its classes.
package struct ModelBuild {
    package let model: URL
    /// The name of the module to which the sources belong.
    package let module: String

    package init(model: URL, module: String) {
        self.model = model
        self.module = module
    }

    /// The name of the model's own source file, which normally has no declarations, as in Xcode.
    package static func modelFileName(of model: URL) -> String {
        model.deletingPathExtension().lastPathComponent + "+CoreDataModel.swift"
    }

    /// Compiles the model into a `.momd` and writes the sources of its classes into a folder.
    ///
    /// The build tool names the files to compile in advance (`announced`), perhaps before the model was edited: a file
    /// that the model does not need gets only a comment, and a class without a file is written into the model's own
    /// file. The folder belongs to the build: other Swift sources in it are removed.
    /// - Returns: the diagnostics of the model; nothing is written if one of them is an error.
    /// - Throws: `ModelingError` if a class cannot be generated or a file cannot be written.
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

    /// The files of the classes whose names were announced; the model's own file contains the other classes.
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

    /// Runs a step and adds the model's path to its errors.
    private func located<Result>(_ step: () throws -> Result) throws -> Result {
        do { return try step() } catch let error as ModelingError { throw error.at(path: model.path) }
    }

    private static func emptyFile(_ name: String) -> GeneratedFile {
        GeneratedFile(name: name, text: SourceText(head: [name, "", SourceText.untouchable]).text)
    }

    /// Writes the folder unless it already has the same contents.
    private func write(_ package: CompiledModelPackage, to url: URL) throws {
        let files = try package.contents()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        let isSame =
            Set(names) == Set(files.keys)
            && files.allSatisfy { (try? Data(contentsOf: url.appendingPathComponent($0.key))) == $0.value }
        if !isSame { try package.write(to: url) }
    }
}
