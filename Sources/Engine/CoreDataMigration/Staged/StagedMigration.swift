import CoreDataGraph

/// Migrates a store through the stages of a manager.
///
/// After every step the store has one complete version; if a later step fails, the next migration continues from there.
struct StagedMigration {
    let manager: NSStagedMigrationManager
    let store: StoreToOpen
    let source: NSManagedObjectModel
    let metadata: [String: Any]

    /// One version in the order of the stages, and the custom stage that migrates from the previous version to it; nil
    /// in a lightweight stage.
    private struct Place {
        let checksum: String
        let stage: NSCustomMigrationStage?
    }

    /// - Throws: `NSManagedObjectModelReferenceNotFoundError` if a model of a custom stage cannot be found,
    ///   `NSStagedMigrationFrameworkVersionMismatchError` if the store's version hashes are of an unknown kind,
    ///   `NSStagedMigrationBackwardMigrationError` if the store is newer than the model, `NSMigrationError` with the
    ///   underlying error of a handler.
    func run() throws {
        if let kind = metadata["NSStoreModelVersionHashesVersion"] as? Int, kind > 3 { throw otherFramework(kind) }
        let places = places
        let (from, to) = (source.versionChecksum, store.model.versionChecksum)
        guard let first = places.firstIndex(where: { $0.checksum == from }) else {
            // No stage has this version, so the store is migrated as the other options say.
            return try StoreMigration(store: store, source: source).run()
        }
        let last = places.firstIndex { $0.checksum == to }
        if let last, last < first { throw backward() }
        let end = last ?? places.count - 1
        let models = try models(of: places)
        var (present, waiting) = (source, [NSManagedObjectModel]())
        for index in places.indices where index > first && index <= end {
            guard let model = models[places[index].checksum] else { continue }
            guard let stage = places[index].stage else {
                waiting.append(model)
                continue
            }
            present = try migrate(present, through: waiting)
            waiting = []
            let current = try stage.currentModel.resolve()
            if present.versionChecksum != current.versionChecksum { present = try migrate(present, through: [current]) }
            try run(stage, from: present, to: model)
            present = model
        }
        present = try migrate(present, through: waiting)
        if present.versionChecksum != to { _ = try migrate(present, through: [store.model]) }
    }

    private var places: [Place] {
        var places: [Place] = []
        for stage in manager.stages {
            switch stage {
            case let stage as NSLightweightMigrationStage:
                places += stage.versionChecksums.map { Place(checksum: $0, stage: nil) }
            case let stage as NSCustomMigrationStage:
                let current = stage.currentModel.versionChecksum
                if places.last?.checksum != current { places.append(Place(checksum: current, stage: nil)) }
                places.append(Place(checksum: stage.nextModel.versionChecksum, stage: stage))
            default: continue
            }
        }
        return places
    }

    /// The models of the stages that can be found, by their checksums; models of lightweight stages may be missing.
    private func models(of places: [Place]) throws -> [String: NSManagedObjectModel] {
        var models = [source.versionChecksum: source, store.model.versionChecksum: store.model]
        for case let stage as NSCustomMigrationStage in manager.stages {
            for reference in [stage.currentModel, stage.nextModel] where models[reference.versionChecksum] == nil {
                models[reference.versionChecksum] = try reference.resolve()
            }
        }
        guard places.contains(where: { models[$0.checksum] == nil }) else { return models }
        for version in KnownVersion.all(for: store) where models[version.model.versionChecksum] == nil {
            models[version.model.versionChecksum] = version.model
        }
        return models
    }

    /// Migrates by inference: to the last of the models at once, or if that is impossible, from one to the next.
    private func migrate(
        _ present: NSManagedObjectModel, through models: [NSManagedObjectModel]
    ) throws -> NSManagedObjectModel {
        guard let last = models.last else { return present }
        if models.count > 1,
            !MigrationAnalysis(from: present, to: last, configuration: store.configuration).obstacles.isEmpty
        {
            let before = try migrate(present, through: Array(models.dropLast()))
            return try migrate(before, through: [last])
        }
        MigrationDebug.log("'\(store.url.path)': inferred to \(MigrationDebug.name(of: last))")
        try MigrationLeg.inferred(from: present, to: last).run(store)
        return last
    }

    // MARK: Custom stages

    private func run(_ stage: NSCustomMigrationStage, from: NSManagedObjectModel, to: NSManagedObjectModel) throws {
        MigrationDebug.log("'\(store.url.path)': \(stage)")
        if let handler = stage.willMigrateHandler { try call(handler, stage: stage, with: from, when: "before") }
        var leg = MigrationLeg.inferred(from: from, to: to)
        leg.expectsValues = true
        try leg.run(store)
        if let handler = stage.didMigrateHandler { try call(handler, stage: stage, with: to, when: "after") }
    }

    private func call(
        _ handler: NSCustomMigrationStage.Handler, stage: NSCustomMigrationStage, with model: NSManagedObjectModel,
        when: String
    ) throws {
        let name = store.url.deletingPathExtension().lastPathComponent
        let container = NSPersistentContainer(name: name, managedObjectModel: model)
        let options = store.options.filter { option in
            !Self.optionsOfMigration.contains { option.key as? String == $0 }
        }
        let coordinator = container.persistentStoreCoordinator
        let opened = try coordinator.addPersistentStore(
            ofType: store.type, configurationName: store.configuration, at: store.url, options: options)
        manager.container = container
        defer {
            manager.container = nil
            // Closes the store even if the handler's contexts still have objects of it.
            try? coordinator.remove(opened)
        }
        do {
            try handler(manager, stage)
        } catch {
            throw CoreDataError.make(
                NSMigrationError,
                "The store '\(store.url.path)' cannot be migrated: the handler \(when) \(stage) failed: "
                    + "\((error as NSError).localizedDescription)",
                hint: "The next start runs the stage again.", underlying: error,
                userInfo: [NSFilePathErrorKey: store.url.path])
        }
    }

    private static let optionsOfMigration = [
        NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
        NSPersistentStoreStagedMigrationManagerOptionKey,
    ]

    // MARK: Errors

    private func backward() -> NSError {
        CoreDataError.make(
            NSStagedMigrationBackwardMigrationError,
            "The store '\(store.url.path)' is of a newer version than the model, and stages lead forward only.",
            reason: "A store file cannot be migrated backwards with staged migration.",
            hint: "Open it with the newer model, or migrate it backward by a call of its own.",
            userInfo: [NSFilePathErrorKey: store.url.path])
    }

    private func otherFramework(_ kind: Int) -> NSError {
        CoreDataError.make(
            NSStagedMigrationFrameworkVersionMismatchError,
            "The store '\(store.url.path)' has version hashes of kind \(kind); kinds up to 3 are known.",
            hint: "Migrate it with the program that wrote it.", userInfo: [NSFilePathErrorKey: store.url.path])
    }
}
