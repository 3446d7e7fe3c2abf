import CoreDataModeling

/// Compiles the source of a mapping model in a build.
///
/// The version hashes in it are those of the build's own models if they have the versions that the source names,
/// otherwise those of the copies in the source; so a mapping model fits edited models without being saved again.
package struct MappingBuild {
    package let mapping: URL
    /// The models of the same build.
    package let models: [URL]

    package init(mapping: URL, models: [URL]) {
        self.mapping = mapping
        self.models = models
    }

    /// Compiles the source, and writes the file unless it already has the same bytes.
    ///
    /// - Returns: warnings about names in the mapping that the models do not have.
    /// - Throws: `ModelingError` if the source cannot be read or the file cannot be written.
    package func run(compiled: URL) throws -> [ModelCompilation.Diagnostic] {
        let versions = models.flatMap { ModelLocation.versions(in: $0) }
        let outcome = try NSMappingModel.compile(mapping, withModels: versions)
        let data = try outcome.model.compiledData()
        if (try? Data(contentsOf: compiled)) != data { try AtomicFile.write(data, to: compiled) }
        return outcome.problems.map {
            .init(severity: .warning, path: mapping.path, line: nil, column: nil, text: $0)
        }
    }
}
