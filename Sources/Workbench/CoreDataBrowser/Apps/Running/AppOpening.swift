import CoreData

/// Opens the store that `Application.plist` names, with the model version that it names or else the current one.
struct AppOpening {
    let source: AppSource
    let problems: ListProblemCollector
    let model: NSManagedObjectModel

    /// Reads the model; an entity whose class the program lacks gets `NSManagedObject` in its place.
    ///
    /// - Throws: `InspectionError` for a model that cannot be read.
    init(_ source: AppSource, classes: [NSManagedObject.Type], _ problems: ListProblemCollector) throws {
        self.source = source
        self.problems = problems
        for objectClass in classes {
            ObjectClassResolver.register(objectClass, named: String(describing: objectClass))
        }
        guard let copy = try Self.version(source).copy() as? NSManagedObjectModel else {
            throw InspectionError(.unreadable, subject: source.model, cause: "the model cannot be copied")
        }
        model = copy
        standInForClasses(Set(classes.map { String(describing: $0) }))
        standInForTransformers()
    }

    /// The version of the model that the application names, or the current one.
    private static func version(_ source: AppSource) throws -> NSManagedObjectModel {
        let package = try ModelPackage(at: source.folder.model(source.model))
        guard let name = source.modelVersion else { return try package.current().model }
        if let found = package.versions.first(where: { $0.name == name }) { return found.model }
        let near = NameSuggestion(for: name, in: package.versions.map(\.name))
        throw InspectionError(
            .unreadable, subject: source.model, cause: "it has no version '\(PrintableText.escaped(name, limit: 80))'",
            hint: near?.question)
    }

    private func standInForClasses(_ given: Set<String>) {
        for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            guard let name = entity.managedObjectClassName, !name.isEmpty, name != "NSManagedObject",
                !given.contains(name),
                !(ObjectClassResolver.type(named: name) { $0 is NSManagedObject.Type } is NSManagedObject.Type)
            else { continue }
            entity.managedObjectClassName = "NSManagedObject"
            problems.add(
                source.model, place: entity.name ?? "",
                text: "the program has no class '\(name)': its rules, defaults and computed values are left out")
        }
    }

    private func standInForTransformers() {
        let attributes = model.entities.flatMap { Array($0.attributesByName.values) }
        let names = Set(attributes.compactMap(\.valueTransformerName))
        if names.contains(ColorTransformer.name) { ColorTransformer.register() }
        for name in names.sorted() where ValueTransformer(forName: NSValueTransformerName(name)) == nil {
            problems.add(
                source.model, place: name,
                text: "the program has no transformer '\(name)': its values are shown as bytes")
        }
        StoredBytes.standIn(for: model)
    }

    /// Opens the store in a folder, nil for the application's own, or creates it.
    ///
    /// - Throws: `InspectionError`: `modelMismatch` for a store of another version where the application does not
    ///   migrate, `unreadable` otherwise.
    func open(in folder: URL?) throws -> (NSPersistentStoreCoordinator, NSPersistentStore) {
        let file = try (folder.map(AppFolder.init) ?? source.folder).makingFolders(for: source.store)
        try copyAtFirstStart(to: file)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        var options: [String: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: source.migrates,
            NSInferMappingModelAutomaticallyOption: source.migrates,
        ]
        // The stream of changes and the reverting of saves need them.
        if source.storeType == .sqlite {
            options[NSPersistentHistoryTrackingKey] = true
            options[CoreDataHistoryKeepsOldValuesOption] = true
            options[NSPersistentStoreRemoteChangeNotificationPostOptionKey] = true
        }
        options.merge(source.sync?.options ?? [:]) { $1 }
        do {
            let store = try coordinator.addPersistentStore(type: source.storeType, at: file, options: options)
            try takeErrorTexts()
            return (coordinator, store)
        } catch let error as InspectionError {
            throw error
        } catch {
            throw failure(error, file)
        }
    }

    private func failure(_ error: any Error, _ file: URL) -> InspectionError {
        let code = (error as NSError).code
        guard [NSPersistentStoreIncompatibleVersionHashError, NSMigrationMissingSourceModelError].contains(code) else {
            return InspectionError(.unreadable, subject: file.lastPathComponent, cause: ErrorText.line(for: error))
        }
        let hint =
            source.migrates
            ? "add a mapping model, or go back to the version of the model that it was made with"
            : "set 'migrate' to true in Application.plist, and the store is migrated when it is opened"
        return InspectionError(
            .modelMismatch, subject: file.lastPathComponent,
            cause: "the store was made with another version of the model (\(code)): \(ErrorText.line(for: error))",
            hint: hint)
    }

    private func takeErrorTexts() throws {
        guard let name = source.errorTexts else { return }
        do {
            try CoreDataErrorTexts.load(
                contentsOf: source.folder.file(name.hasSuffix(".plist") ? name : name + ".plist"))
        } catch {
            source.root.note("no texts of errors can be read from '\(name)'", at: "errorTexts")
        }
    }

    /// Copies the store that comes with the application to `file`, if `file` does not exist yet.
    private func copyAtFirstStart(to file: URL) throws {
        guard let name = source.copiedStore, !FileManager.default.fileExists(atPath: file.path) else { return }
        let original = try source.folder.file(name)
        let temporary = file.appendingPathExtension("copying")
        do {
            try? FileManager.default.removeItem(at: temporary)
            try FileManager.default.copyItem(at: original, to: temporary)
            // What the write-ahead log has and the main file lacks belongs to the store as well.
            let log = URL(fileURLWithPath: original.path + "-wal")
            if FileManager.default.fileExists(atPath: log.path) {
                try FileManager.default.copyItem(at: log, to: URL(fileURLWithPath: file.path + "-wal"))
            }
            try FileManager.default.moveItem(at: temporary, to: file)
        } catch {
            source.root.note(
                "the store cannot be copied, an empty one is made: \(ErrorText.line(for: error))", at: "copyStore")
        }
    }
}
