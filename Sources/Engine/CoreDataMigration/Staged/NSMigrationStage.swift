import CoreDataGraph

/// The base class of the stages of a staged migration, lightweight and custom ones.
open class NSMigrationStage: NSObject {
    /// A description of the stage for people.
    open var label: String?

    override init() { super.init() }

    /// The class and, if there is one, the label.
    open override var description: String { label.map { "\(type(of: self)) '\($0)'" } ?? "\(type(of: self))" }
}

/// A stage of versions between which stores can be migrated by inference.
///
/// ```swift
/// let stage = NSLightweightMigrationStage([oldModel.versionChecksum, newModel.versionChecksum])
/// stage.label = "Optional attributes of Customer"
/// ```
open class NSLightweightMigrationStage: NSMigrationStage {
    /// The checksums of the versions, the oldest first; see `NSManagedObjectModel.versionChecksum`.
    open private(set) var versionChecksums: [String]

    /// Makes a stage of versions, the oldest first.
    public init(_ versionChecksums: [String]) {
        self.versionChecksums = versionChecksums
        super.init()
    }
}

/// A stage that migrates from one version to the next by inference, with handlers that run before and after it.
///
/// During a handler, the manager's `container` has the store open with the model from before or after the migration; a
/// handler must save its changes. An error of a handler ends the migration; changes saved before remain, and the next
/// migration runs the stage again.
///
/// ```swift
/// let stage = NSCustomMigrationStage(migratingFrom: version1, to: version2)
/// stage.didMigrateHandler = { manager, _ in
///     guard let context = manager.container?.newBackgroundContext() else { return }
///     try context.performAndWait {
///         for article in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Article")) {
///             article.setValue("EUR", forKey: "currency")
///         }
///         try context.save()
///     }
/// }
/// ```
open class NSCustomMigrationStage: NSMigrationStage {
    /// Code that runs before or after the migration of a stage, while the store is open in the manager's `container`.
    public typealias Handler = (NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void

    /// The model from before the migration.
    open private(set) var currentModel: NSManagedObjectModelReference
    /// The model after the migration.
    open private(set) var nextModel: NSManagedObjectModelReference
    /// Runs before the migration, while the store has the current model.
    open var willMigrateHandler: Handler?
    /// Runs after the migration, when the store has the next model.
    open var didMigrateHandler: Handler?

    /// Makes a stage that migrates from one model to the next.
    public init(
        migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference
    ) {
        self.currentModel = currentModel
        self.nextModel = nextModel
        super.init()
    }
}
