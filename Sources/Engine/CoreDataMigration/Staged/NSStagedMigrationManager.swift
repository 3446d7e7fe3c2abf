import CoreDataGraph

/// The stages by which stores of older versions reach the present one; given as an option when a store is added.
///
/// The option is `NSPersistentStoreStagedMigrationManagerOptionKey`. One store at a time, on the thread that adds it.
/// Unlike Apple's, versions of one lightweight stage are gone through one by one where inference cannot do all at once, and
/// a last step that no stage names is inferred.
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
    /// The stages in their order.
    public let stages: [NSMigrationStage]
    /// The store while a handler runs, in the version of before or after; nil at any other time.
    public internal(set) var container: NSPersistentContainer?

    /// Makes a manager of stages, oldest first.
    public init(_ stages: [NSMigrationStage]) { self.stages = stages }
}
