import Foundation
import PackagePlugin

/// Compiles the models in a target's folders, as Xcode does: `Model.xcdatamodeld` becomes `Model.momd` in the target's
/// resources, and its entities become Swift classes by their code-generation settings; `A.xcmappingmodel` becomes `A.cdm`.
///
/// | command | runs when | writes |
/// |---|---|---|
/// | one for each model | a file of the model has changed | `Model.momd`, the sources of the model's classes |
/// | one for each mapping model | a file of it, or of any model, has changed | `A.cdm` |
/// | one for the target | a file of any model, or a Swift source, has changed | the property tables of all classes, the accessors of `@NSManaged` properties, the aliases |
@main
struct CoreDataModelPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let models = target.sourceFiles.map(\.url).filter(ModelSource.isModel).map(ModelSource.init)
            .sorted { $0.url.path < $1.url.path }
        let mappings = target.sourceFiles.map(\.url).filter { $0.pathExtension == "xcmappingmodel" }
            .sorted { $0.path < $1.path }
        let folder = context.pluginWorkDirectoryURL
        guard checkNames(of: models.map { ($0.url, $0.name) }, in: target),
            checkNames(of: mappings.map { ($0, Self.name(of: $0)) }, in: target)
        else { return [] }
        FormerModels(folder: folder, target: target).remove(
            besides: models.map { $0.name + ".momd" } + mappings.map { Self.name(of: $0) + ".cdm" })
        let tool = try context.tool(named: "coredata-modelc").url
        let compiler = try context.tool(named: "swiftc").url
        return models.map { command(for: $0, of: target, tool: tool, folder: folder) }
            + mappings.map { command(forMapping: $0, models: models, tool: tool, folder: folder) }
            + [try command(for: target, models: models, tool: tool, compiler: compiler, folder: folder)]
    }

    private func command(
        for model: ModelSource, of target: any SourceModuleTarget, tool: URL, folder: URL
    ) -> Command {
        let compiled = folder.appending(path: model.name + ".momd", directoryHint: .isDirectory)
        let sources = folder.appending(path: model.name, directoryHint: .isDirectory)
        // A source of the target's own by that name is the user's word for it.
        let own = TargetSources.fileNames(of: target)
        let files = model.sourceFileNames.filter { !own.contains($0) }
        return .buildCommand(
            displayName: "Compiling the model \(model.name)", executable: tool,
            arguments: [
                "model", model.url.path(percentEncoded: false), "--module", target.moduleName,
                "--compiled", compiled.path(percentEncoded: false), "--sources", sources.path(percentEncoded: false),
            ] + files.flatMap { ["--file", $0] },
            inputFiles: model.inputFiles, outputFiles: [compiled] + files.map { sources.appending(path: $0) })
    }

    private static func name(of mapping: URL) -> String { mapping.deletingPathExtension().lastPathComponent }

    /// The hashes in the compiled form are those of the models, which are its inputs too.
    private func command(forMapping mapping: URL, models: [ModelSource], tool: URL, folder: URL) -> Command {
        let compiled = folder.appending(path: Self.name(of: mapping) + ".cdm")
        return .buildCommand(
            displayName: "Compiling the mapping model \(Self.name(of: mapping))", executable: tool,
            arguments: [
                "mapping", mapping.path(percentEncoded: false), "--compiled", compiled.path(percentEncoded: false),
            ] + models.flatMap { ["--model", $0.url.path(percentEncoded: false)] },
            inputFiles: [mapping, mapping.appending(path: "xcmapping.xml")] + models.flatMap(\.inputFiles),
            outputFiles: [compiled])
    }

    private func command(
        for target: any SourceModuleTarget, models: [ModelSource], tool: URL, compiler: URL, folder: URL
    ) throws -> Command {
        let sources = folder.appending(path: "Module", directoryHint: .isDirectory)
        let list = folder.appending(path: "Sources.txt")
        let files = TargetSources(of: target, work: folder)
        try files.write(to: list)
        let own = TargetSources.fileNames(of: target)
        let names = ["CoreDataGeneratedClasses.swift", "CoreDataManagedAccessors.swift", "CoreDataAliases.swift"]
            .filter { !own.contains($0) }
        return .buildCommand(
            displayName: "Writing the property tables of \(target.moduleName)", executable: tool,
            arguments: ["module"] + models.map { $0.url.path(percentEncoded: false) } + [
                "--sources", sources.path(percentEncoded: false), "--name", target.moduleName,
                "--list", list.path(percentEncoded: false), "--compiler", compiler.path(percentEncoded: false),
                "--work", folder.path(percentEncoded: false),
            ],
            inputFiles: models.flatMap(\.inputFiles) + files.inputFiles + [list],
            outputFiles: names.map { sources.appending(path: $0) })
    }

    /// Sees that no two models of a target are called alike: their compiled forms would be.
    private func checkNames(of models: [(url: URL, name: String)], in target: any SourceModuleTarget) -> Bool {
        for (name, alike) in Dictionary(grouping: models, by: \.name) where alike.count > 1 || name == "Module" {
            let paths = alike.map { $0.url.path(percentEncoded: false) }.joined(separator: ", ")
            Diagnostics.error("Target '\(target.name)' cannot have the models \(paths): rename one of them.")
            return false
        }
        return true
    }
}
