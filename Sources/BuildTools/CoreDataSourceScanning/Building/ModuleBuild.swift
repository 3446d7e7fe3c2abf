import CoreDataModelCompiler

/// Generates the files that a module needs once, from all its models and its own sources.
package struct ModuleBuild {
    /// The module's own sources, and the compiler that provides symbols for them.
    struct Sources {
        let module: String
        let list: SourceList
        let compiler: URL
        /// A folder that persists between builds.
        let work: URL
    }

    private let models: [URL]
    private let sources: Sources?

    init(models: [URL], sources: Sources? = nil) {
        self.models = models
        self.sources = sources
    }

    /// The names of the files that `run(into:)` writes.
    package static let fileNames = [PropertyTableSource.fileName, AliasSource.fileName, AccessorWriter.fileName]

    /// Writes the property tables of the module's classes, the accessors of its managed properties, and the type
    /// aliases for ambiguous names into a folder.
    ///
    /// A model that cannot be read counts as one without classes: the `model` command reports its error.
    /// - Returns: findings about members for which no code can be generated; if there are any, nothing is written.
    /// - Throws: `ModelingError` for a class that two models generate, `CompilerRun.Failure`, or a file error.
    func run(into folder: URL) throws -> [ScanFinding] {
        let classes = try checkedClasses()
        var accessors = ""
        var tables = classes.isEmpty ? "" : PropertyTableSource(classes).file.text
        var usesLibrary = !classes.isEmpty || !models.isEmpty
        var ownAliases: Set<String> = []
        if let sources {
            let missing = MissingPlugins.findings(in: sources.list)
            guard missing.isEmpty else { return missing }
            let made = try ModuleManagedSources(sources, models: classes)
            guard made.findings.isEmpty else { return made.findings }
            accessors = made.accessors
            tables = made.tables
            usesLibrary = usesLibrary || made.usesLibrary
            ownAliases = made.ownAliases
        } else if usesLibrary {
            tables = PropertyTableSource(classes).file.text
        }
        try SourceFolder(url: folder).write([
            Self.file(PropertyTableSource.fileName, tables), Self.file(AccessorWriter.fileName, accessors),
            usesLibrary ? AliasSource.file(without: ownAliases) : Self.file(AliasSource.fileName, ""),
        ])
        return []
    }

    /// The classes that models generate; a model that cannot be read adds none.
    static func classes(of models: [String]) -> [ModelClass] {
        models.flatMap { read(URL(fileURLWithPath: $0)) }
    }

    private static func read(_ model: URL) -> [ModelClass] {
        guard let current = try? NSManagedObjectModel(reading: model), let found = try? ModelClasses(of: current) else {
            return []
        }
        return found.generated
    }

    private func checkedClasses() throws -> [ModelClass] {
        var classes: [ModelClass] = []
        var owners: [String: URL] = [:]
        for model in models {
            for subject in Self.read(model) {
                if let owner = owners[subject.name] { throw Self.conflict(subject, model: model, owner: owner) }
                owners[subject.name] = model
                classes.append(subject)
            }
        }
        return classes
    }

    /// A generated file; with an empty text, the file has only a header comment.
    private static func file(_ name: String, _ text: String) -> GeneratedFile {
        GeneratedFile(
            name: name, text: text.isEmpty ? SourceText(head: [name, "", SourceText.untouchable]).text : text)
    }

    private static func conflict(_ subject: ModelClass, model: URL, owner: URL) -> ModelingError {
        ModelingError(
            .invalidModel,
            "the class '\(subject.name)' is to be generated for this model and for \(owner.lastPathComponent)",
            hint: "rename one, or write the class by hand"
        ).at(path: model.path)
    }
}
