import CoreDataGraph
import CoreDataMigration
import CoreDataSQLite
import Foundation

/// Migrates a store through the stages of a plan.
///
/// All steps are made on a copy beside the store, which replaces it at the end, so that after a failure the store is as
/// it was. One step without code of the program is atomic by itself and needs no copy.
struct PlannedMigration {
    let configuration: ModelConfiguration
    let steps: [PlannedPath.Step]

    /// Migrates the store of a configuration if it is of an older version of the plan.
    ///
    /// - Throws: what `PlannedPath.steps` throws; `CocoaError` if the store is open elsewhere or cannot be written;
    ///   `SwiftDataError.loadIssueModelContainer` with the error that a function of a stage threw.
    static func run(_ plan: any SchemaMigrationPlan.Type, to schema: Schema, _ configuration: ModelConfiguration) throws
    {
        guard !configuration.isStoredInMemoryOnly, let version = StoreVersion(configuration) else { return }
        let steps = try PlannedPath(plan, to: schema).steps(from: version)
        // A store that may not be changed is refused when it is opened.
        guard !steps.isEmpty, configuration.allowsSave else { return }
        try PlannedMigration(configuration: configuration, steps: steps).run()
    }

    private func run() throws {
        if steps.count == 1, !steps[0].isCustom { return try migrate(steps[0], at: configuration.url) }
        let url = configuration.url
        let before = try closedState()
        let folder = url.deletingLastPathComponent()
            .appending(path: "\(url.deletingPathExtension().lastPathComponent)-migrating-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let working = folder.appending(path: url.lastPathComponent)
        try copy(url, to: working)
        for step in steps { try migrate(step, at: working) }
        guard try closedState() == before else {
            throw SwiftDataError.loadIssueModelContainer.stating(
                "The store \(url.path) was changed by another program during its migration. It was not migrated.")
        }
        try copy(working, to: url)
    }

    /// Checks that the store is not open anywhere; returns the size and the time of its file.
    private func closedState() throws -> [AnyHashable] {
        try StoreVersion.storeClass(at: configuration.url).schemaMigrating?.requireNoOtherConnection(
            at: configuration.url, options: [:])
        let attributes = try FileManager.default.attributesOfItem(atPath: configuration.url.path)
        return [attributes[.size] as? Int ?? 0, attributes[.modificationDate] as? Date ?? .distantPast]
    }

    // MARK: Steps

    private func migrate(_ step: PlannedPath.Step, at url: URL) throws {
        switch step.stage {
        case .lightweight, nil: try open(step.to, at: url, stages: [checksums(step)]) { _ in }
        case .custom(_, _, let willMigrate, let didMigrate):
            if let willMigrate {
                try open(step.from, at: url, stages: []) { context in
                    try call("before", step, saving: context) { try willMigrate(context) }
                }
            }
            try open(step.to, at: url, stages: [custom(step)]) { context in
                guard let didMigrate else { return }
                try call("after", step, saving: context) { try didMigrate(context) }
            }
        case .transform(_, _, let function):
            let old = url.deletingLastPathComponent().appending(path: "before-\(url.lastPathComponent)")
            try copy(url, to: old)
            try open(step.from, at: old, stages: [], allowsSave: false) { former in
                try open(step.to, at: url, stages: [custom(step)]) { context in
                    try call("of", step, saving: context) { try function(former, context) }
                }
            }
        }
    }

    private func custom(_ step: PlannedPath.Step) -> NSMigrationStage {
        NSCustomMigrationStage(migratingFrom: reference(step.from.model), to: reference(step.to.model))
    }

    private func copy(_ url: URL, to copy: URL) throws {
        try NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel()).replacePersistentStore(
            at: copy, withPersistentStoreFrom: url, type: NSPersistentStore.StoreType(rawValue: NSSQLiteStoreType))
    }

    private func call(
        _ place: String, _ step: PlannedPath.Step, saving context: ModelContext, _ function: () throws -> Void
    ) throws {
        do {
            try function()
            try context.save()
        } catch {
            throw SwiftDataError.loadIssueModelContainer.stating(
                "The store \(configuration.url.path) cannot be migrated: the function \(place) the stage from "
                    + "\(step.from.name) to \(step.to.name) failed: \(error). The store is as it was.")
        }
    }

    private func checksums(_ step: PlannedPath.Step) -> NSMigrationStage {
        NSLightweightMigrationStage([step.from.model.versionChecksum, step.to.model.versionChecksum])
    }

    private func reference(_ model: NSManagedObjectModel) -> NSManagedObjectModelReference {
        NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }

    /// Opens the store as one version while a function runs.
    private func open(
        _ version: PlannedVersion, at url: URL, stages: [NSMigrationStage], allowsSave: Bool = true,
        _ body: (ModelContext) throws -> Void
    ) throws {
        let place = ModelConfiguration(
            configuration.name, schema: part(of: version), url: url, allowsSave: allowsSave)
        let container = try ModelContainer(version.schema, [place], stages: NSStagedMigrationManager(stages))
        defer { container.close() }
        try body(ModelContext(container))
    }

    /// The models of a version in the store of a configuration that has a part of them.
    private func part(of version: PlannedVersion) -> Schema? {
        guard let schema = configuration.schema else { return nil }
        let names = Set(schema.entities.map(\.name))
        return Schema(version.schema.plans.filter { names.contains($0.name) }.map(\.type), version: schema.version)
    }
}
