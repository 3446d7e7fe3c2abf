import CoreDataGraph

/// A part of a staged migration: the common ground of lightweight and custom stages.
open class NSMigrationStage: NSObject {
    /// What the stage is for, for people.
    open var label: String?

    override init() { super.init() }

    /// The label where there is one.
    open override var description: String { label.map { "\(type(of: self)) '\($0)'" } ?? "\(type(of: self))" }
}

/// Versions between which stores can be migrated by inference.
///
/// ```swift
/// let stage = NSLightweightMigrationStage([oldModel.versionChecksum, newModel.versionChecksum])
/// stage.label = "Optional attributes of Customer"
/// ```
open class NSLightweightMigrationStage: NSMigrationStage {
    /// The checksums of the versions, oldest first; see `NSManagedObjectModel.versionChecksum`.
    open private(set) var versionChecksums: [String]

    /// Makes a stage of versions, oldest first.
    public init(_ versionChecksums: [String]) {
        self.versionChecksums = versionChecksums
        super.init()
    }
}

/// The step from one version to the next, with something to be done before it and after it.
///
/// Handlers find the store in the manager's `container`, open with the version of before or of after; they save what they
/// change. What a handler throws ends the migration; what was saved before stays, and the next start runs the stage again.
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
    /// What is done before or after the step; the store is open in the manager's container meanwhile.
    public typealias Handler = (NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void

    /// The version of before.
    open private(set) var currentModel: NSManagedObjectModelReference
    /// The version of after.
    open private(set) var nextModel: NSManagedObjectModelReference
    /// Runs before the step, with the store in the version of before.
    open var willMigrateHandler: Handler?
    /// Runs after the step, with the store in the version of after.
    open var didMigrateHandler: Handler?

    /// Makes the step from one version to the next.
    public init(
        migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference
    ) {
        self.currentModel = currentModel
        self.nextModel = nextModel
        super.init()
    }
}
