import CoreDataModeling

/// Generates sources of a model's classes for a repository; a second run does not change files that the author edits.
package struct SourceGeneration {
    /// The files that are written for each class.
    package enum Style: String, CaseIterable, Sendable {
        /// The class and its properties.
        case `class`
        /// The properties only.
        case `extension`
    }

    /// What was done with a file.
    package enum Outcome: String, Sendable {
        case written
        /// The file already had the generated contents.
        case unchanged
        /// The file exists and is not replaced, since its author edits it.
        case kept
    }

    private let url: URL
    private let model: NSManagedObjectModel
    private let options: ClassOptions
    /// The classes to write.
    package let classes: [ModelClass]

    /// Reads a model; if `entity` is not nil, only the class of this entity is written.
    ///
    /// - Throws: an `NSError` if the model cannot be read; `ModelingError` if the entity does not exist, or a class
    ///   cannot be generated.
    package init(of url: URL, entity: String? = nil, options: ClassOptions = .xcode) throws {
        try self.init(of: NSManagedObjectModel(reading: url), at: url, entity: entity, options: options)
    }

    /// Makes the generation for a model that was read from `url`, and may have been edited since.
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

    /// Writes the sources into a folder, which is created if it does not exist.
    ///
    /// - Throws: `ModelingError` `.unwritable`; files written before the failing one remain.
    package func write(to folder: URL, style: Style) throws -> [(name: String, outcome: Outcome)] {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw ModelingError(.unwritable, error.localizedDescription).at(path: folder.path)
        }
        return try files(style).map { try write($0.file, to: folder, replaces: $0.isReplaced) }
    }

    /// The files of the classes, and whether an existing file is replaced; the others are for their author to edit.
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

    /// The generated source of one property, from all classes that have it.
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

    /// Sets the class name, in the model's source, of entities that do not name a class.
    ///
    /// - Returns: the names of these entities; none if all named a class, or the model is compiled.
    /// - Throws: `ModelingError` if the source cannot be read or written; it is then unchanged.
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
