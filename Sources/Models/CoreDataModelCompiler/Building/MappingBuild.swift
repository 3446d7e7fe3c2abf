import CoreDataModeling

/// What a build makes of the source of a mapping model: its compiled form.
///
/// Its hashes are those of the build's own models, where these have the versions that the source names, and of the copies
/// that the source has of them otherwise; so a mapping model does not lag behind an edited model.
package struct MappingBuild {
    package let mapping: URL
    /// The models of the same build.
    package let models: [URL]

    package init(mapping: URL, models: [URL]) {
        self.mapping = mapping
        self.models = models
    }

    /// Compiles the source, and writes the file unless it has these bytes.
    ///
    /// - Returns: warnings of what the mapping names and the models lack.
    /// - Throws: `ModelingError`: a source that cannot be read, or the error of writing.
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
