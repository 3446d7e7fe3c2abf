import CoreDataGraph

/// The stages by which stores of older versions are migrated to the present version; passed as an option when a store
/// is added.
///
/// The option is `NSPersistentStoreStagedMigrationManagerOptionKey`. A manager migrates one store at a time, on the
/// thread that adds the store. Unlike in Apple's framework, the versions of a lightweight stage are migrated one by one
/// if inference cannot do them at once, and a last step for which there is no stage is inferred.
///
/// ```swift
/// let manager = NSStagedMigrationManager([
///     NSLightweightMigrationStage([checksum1, checksum2]),
///     NSCustomMigrationStage(migratingFrom: version2, to: version3),
/// ])
/// let description = NSPersistentStoreDescription(url: url)
/// description.setOption(manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
/// ```
public final class NSStagedMigrationManager: NSObject {
    /// The stages, the oldest first.
    public let stages: [NSMigrationStage]
    /// While a handler runs, a container with the store and the model from before or after the migration; nil
    /// otherwise.
    public internal(set) var container: NSPersistentContainer?

    /// Makes a manager of stages, the oldest first.
    public init(_ stages: [NSMigrationStage]) { self.stages = stages }
}
