import CoreDataModeling

/// Sources of a model's classes for a repository, of which a second run replaces only the parts that are not edited by hand.
package struct SourceGeneration {
    /// What is written of each class.
    package enum Style: String, CaseIterable, Sendable {
        /// The class and its properties.
        case `class`
        /// The properties only.
        case `extension`
    }

    /// What became of a file.
    package enum Outcome: String, Sendable {
        case written
        /// It says what it is to say already.
        case unchanged
        /// It is there and belongs to its author.
        case kept
    }

    private let url: URL
    private let model: NSManagedObjectModel
    private let options: ClassOptions
    /// The classes to write.
    package let classes: [ModelClass]

    /// Reads a model; with the name of an entity only its class is written.
    ///
    /// - Throws: an `NSError` if the model cannot be read; `ModelingError` if the entity does not exist, or a class cannot be
    ///   generated.
    package init(of url: URL, entity: String? = nil, options: ClassOptions = .xcode) throws {
        try self.init(of: NSManagedObjectModel(reading: url), at: url, entity: entity, options: options)
    }

    /// Takes a model that was read, or edited since.
    ///
    /// - Throws: `ModelingError` as above.
    package init(
        of model: NSManagedObjectModel, at url: URL, entity: String? = nil, options: ClassOptions = .xcode
    ) throws {
        self.url = url
        self.options = options
        self.model = model
        do {
            let all = try ModelClasses(of: model, options: options).classes
            if let entity { classes = try Self.class(of: entity, among: all, in: model) } else { classes = all }
        } catch let error as ModelingError {
            throw error.at(path: url.path)
        }
    }

    private static func `class`(
        of entity: String, among classes: [ModelClass], in model: NSManagedObjectModel
    ) throws -> [ModelClass] {
        let found = classes.filter { $0.entityName == entity }
        guard found.isEmpty else { return found }
        guard model.entitiesByName[entity] == nil else {
            throw ModelingError(.invalidModel, "the entity '\(entity)' has no class of its own")
        }
        throw unknown("entity '\(entity)'", entity, among: model.entities.compactMap(\.name))
    }

    private static func unknown(_ what: String, _ name: String, among names: [String]) -> ModelingError {
        let near = NameSuggestion(for: name, in: names)?.question
        return ModelingError(.invalidModel, "there is no \(what)", hint: near)
    }

    /// Writes the sources into a folder, which is made.
    ///
    /// - Throws: `ModelingError` `.unwritable`; files before the one that fails are written.
    package func write(to folder: URL, style: Style) throws -> [(name: String, outcome: Outcome)] {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw ModelingError(.unwritable, error.localizedDescription).at(path: folder.path)
        }
        return try files(style).map { try write($0.file, to: folder, replaces: $0.isReplaced) }
    }

    /// The files of the classes; those that are not replaced are for their author to add to.
    package func files(_ style: Style) -> [(file: GeneratedFile, isReplaced: Bool)] {
        classes.flatMap { subject in
            let source = ManagedSource(subject, options: options)
            return (style == .class ? [(source.classFile, false)] : []) + [(source.propertiesFile, true)]
        }
    }

    private func write(
        _ file: GeneratedFile, to folder: URL, replaces: Bool
    ) throws -> (name: String, outcome: Outcome) {
        let url = folder.appendingPathComponent(file.name)
        let data = Data(file.text.utf8)
        if FileManager.default.fileExists(atPath: url.path) {
            guard replaces else { return (file.name, .kept) }
            guard (try? Data(contentsOf: url)) != data else { return (file.name, .unchanged) }
        }
        try AtomicFile.write(data, to: url)
        return (file.name, .written)
    }

    /// What the sources have of one property of the classes.
    ///
    /// - Throws: `ModelingError` if no class has the property.
    package func snippet(of key: String) throws -> String {
        let found = classes.compactMap { ManagedSource($0, options: options).snippet(of: key) }
        guard !found.isEmpty else {
            let names = classes.flatMap(\.properties).map(\.key)
            throw Self.unknown("property '\(key)'", key, among: names).at(path: url.path)
        }
        return found.joined(separator: "\n")
    }

    /// Has the entities of the classes that name no class name theirs, in the model's source.
    ///
    /// - Returns: the names of the entities that now do; none where all did, or the model is compiled.
    /// - Throws: `ModelingError` if the source cannot be read or written; it is then as it was.
    package func fillClasses() throws -> [String] {
        let missing = classes.filter { subject in
            subject.entityName.flatMap { model.entitiesByName[$0] }.map { !$0.hasOwnClass } ?? false
        }
        let location = try ModelLocation(url)
        guard !missing.isEmpty, location.form == .source else { return [] }
        var document = try ModelDocument(at: url)
        for subject in missing {
            guard let entity = subject.entityName else { continue }
            try document.set(subject.name, for: "representedClassName", at: .entity(entity))
        }
        try AtomicFile.write(document.data, to: location.file)
        return missing.compactMap(\.entityName)
    }
}
