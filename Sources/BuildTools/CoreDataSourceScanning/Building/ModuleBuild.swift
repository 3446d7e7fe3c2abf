import CoreDataModelCompiler

/// What a build makes once for a module: of all its models, and of its own sources.
package struct ModuleBuild {
    /// The module's own sources, and how to ask the compiler of them.
    struct Sources {
        let module: String
        let list: SourceList
        let compiler: URL
        /// A folder that is kept from build to build.
        let work: URL
    }

    private let models: [URL]
    private let sources: Sources?

    init(models: [URL], sources: Sources? = nil) {
        self.models = models
        self.sources = sources
    }

    /// The names of the files.
    package static let fileNames = [PropertyTableSource.fileName, AliasSource.fileName, AccessorWriter.fileName]

    /// Writes the property tables of the module's classes, the accessors of its managed properties, and what names mean in
    /// the module, into a folder.
    ///
    /// A model that cannot be read counts as one without classes: its own build says what is wrong with it.
    /// - Returns: what of the sources cannot be carried out; nothing is written then.
    /// - Throws: `ModelingError` for a class that two models ask for, the compiler's failure, or the error of writing.
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

    /// The classes that models generate; of a model that cannot be read none.
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

    /// A file that says nothing but what it is where there is nothing to say.
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
