import CoreDataModeling

/// What a build makes once for a module, of all its models together.
package struct ModuleBuild {
    package let models: [URL]

    package init(models: [URL]) { self.models = models }

    /// The names of the files.
    package static let fileNames = [TableSource.fileName, AliasSource.fileName]

    /// Writes the property tables of the module's classes, and what names mean in the module, into a folder.
    ///
    /// A model that cannot be read counts as one without classes: its own build says what is wrong with it.
    /// - Throws: `ModelingError` for a class that two models ask for, or the error of writing.
    package func run(sources: URL) throws {
        var classes: [ModelClass] = []
        var owners: [String: URL] = [:]
        for model in models {
            guard let current = try? NSManagedObjectModel(reading: model), let found = try? ModelClasses(of: current)
            else {
                continue
            }
            for subject in found.generated {
                if let owner = owners[subject.name] { throw Self.conflict(subject, model, owner) }
                owners[subject.name] = model
                classes.append(subject)
            }
        }
        try SourceFolder(url: sources).write([TableSource(classes).file, AliasSource.file])
    }

    private static func conflict(_ subject: ModelClass, _ model: URL, _ owner: URL) -> ModelingError {
        ModelingError(
            .invalidModel,
            "the class '\(subject.name)' is to be generated for this model and for \(owner.lastPathComponent)",
            hint: "rename one, or write the class by hand"
        ).at(path: model.path)
    }
}
