import CoreDataModeling

/// The type of a store in a SQLite database file.
public let NSSQLiteStoreType = "SQLite"
/// The type of a store in an XML file.
public let NSXMLStoreType = "XML"
/// The type of a store in a binary file.
public let NSBinaryStoreType = "Binary"
/// The type of a store in memory.
public let NSInMemoryStoreType = "InMemory"

/// The type of a store in a schema of a PostgreSQL database, with a `postgresql://` URL. Not in Apple's framework;
/// declared in the product `CoreDataPostgres`.
///
/// ```swift
/// import CoreDataPostgres
///
/// let description = NSPersistentStoreDescription(url: URL(string: "postgresql://app@db.example.com/shop?schema=orders")!)
/// description.type = CoreDataPostgreSQLStoreType
/// container.persistentStoreDescriptions = [description]
/// ```
public let CoreDataPostgreSQLStoreType = "PostgreSQL"

/// The version of Apple's framework whose file formats the library writes; new stores have it in their metadata.
public let NSCoreDataVersionNumber: Double = 1344

/// In a store's metadata: the type of the store.
public let NSStoreTypeKey = "NSStoreType"
/// In a store's metadata: the UUID of the store.
public let NSStoreUUIDKey = "NSStoreUUID"
/// In a store's metadata: the version hash of each entity of the model.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// In a store's metadata: the model's version identifiers.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// In a store's metadata: the first version of Apple's framework that can read the store.
public let NSPersistentStoreOSCompatibility = "NSPersistentStoreOSCompatibility"
/// In a store's metadata: the checksum of the model.
public let NSPersistentStoreModelVersionChecksumKey = "NSStoreModelVersionChecksumKey"

/// Option: whether the store is opened for reading only, so that saves fail.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Option: how many seconds to wait for a lock that another process holds on the store.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Option: a dictionary of SQLite pragmas to set when the store is opened.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Option: whether SQLite updates its query planner statistics (`ANALYZE`) when the store is opened.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Option: whether SQLite rebuilds the file (`VACUUM`) when the store is opened.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// Option: whether to open a store even if its version hashes differ from those of the model.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// Option: whether to migrate a store that was made with another version of the model.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// Option: whether to infer the mapping that a migration needs.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Option: the `NSStagedMigrationManager` whose stages migrate a store of another model version to the model.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"
/// Option: whether a lightweight migration defers the work that it need not do at once.
///
/// See `NSPersistentStoreCoordinator.finishDeferredLightweightMigration()`.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
    "NSPersistentStoreDeferredLightweightMigrationOptionKey"
/// Option: whether an inferred migration stores values that the new model lacks, so that a later one can restore them.
///
/// Not in Apple's framework, which ignores the table `OpenCoreDataKeptValues` with these values. For SQLite stores.
public let CoreDataMigrationKeepsValuesOption = "CoreDataMigrationKeepsValuesOption"
/// Option: whether the store is copied before it is migrated; `NSPersistentContainer` sets it to true unless the
/// description has it.
///
/// Not in Apple's framework. The copy is a store of the old version beside the original, named like it with `-backup-`
/// and the time; where the file system can, both share their blocks. The first successful save after the migration
/// removes the copy.
public let CoreDataMigrationBackupOption = "CoreDataMigrationBackupOption"
/// In a store's metadata, from a migration until the first save: the name of the copy that was made before the
/// migration.
package let CoreDataMigrationBackupKey = "CoreDataMigrationBackup"
/// Option: the URLs of models, of mapping models, and of folders that contain them; a migration searches them in
/// addition to the program's resources.
///
/// Not in Apple's framework. The value is an array of `URL`.
public let CoreDataMigrationResourcesOption = "CoreDataMigrationResourcesOption"
/// Option: whether an inferred migration that would drop stored values or objects is refused with
/// `NSInferredMappingModelError`.
///
/// Not in Apple's framework, which drops them silently. Without the option, a line on standard error warns of each loss
/// that looks like a renaming without a renaming identifier.
public let CoreDataMigrationRefusesLossOption = "CoreDataMigrationRefusesLossOption"
/// Option for destroying a store: whether to remove the file of a store that is damaged or that others have open.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// Option: the file protection of Apple's systems; accepted without effect.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
/// Option: how many connections of a SQLite or PostgreSQL store may read at once, beside the one that writes; 4 by
/// default.
///
/// The store opens each connection when it is first needed. A streamed fetch or a query generation occupies a
/// connection until it is released. The option has no effect on stores that only one thread reads at a time: stores in
/// memory, and SQLite stores with a rollback journal that are opened for writing. Values below 1 count as 1.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"

/// Option: whether the store records persistent history; see `NSPersistentHistoryChangeRequest`.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// Option: whether the history of a SQLite store also records the values that each transaction overwrote; off by
/// default.
///
/// Not in Apple's framework, which ignores the tables with these values. With the option, a transaction can be reverted
/// (`NSManagedObjectContext.revert(_:)`) and a past state can be read
/// (`NSPersistentStoreCoordinator.queryGeneration(asOf:)`), until the transaction is deleted from the history. Requires
/// `NSPersistentHistoryTrackingKey`; the recorded values enlarge the file.
public let CoreDataHistoryKeepsOldValuesOption = "CoreDataHistoryKeepsOldValuesOption"
/// Option: whether `NSPersistentStoreRemoteChange` is posted after every commit to the store, also by other processes.
///
/// Own commits are reported too, as by Apple's framework. Stores in memory report only own commits, since other
/// processes cannot use them.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey = "NSPersistentStoreRemoteChangeNotificationOptionKey"

/// Option: whether a SQLite store that is opened for writing gets the indexes that its model has and the file lacks.
///
/// Not in Apple's framework, where only a migration makes them. Indexes of constraints are left to migrations.
public let CoreDataCreatesMissingIndexesOption = "CoreDataCreatesMissingIndexesOption"

/// Option: whether adding a store fails when the program lacks a class or a value transformer that its model names.
///
/// Not in Apple's framework. Without the option, a line on standard error names what is missing, and the store is
/// added.
public let CoreDataStrictModelOption = "CoreDataStrictModelOption"

/// Option: whether fetches compare nil as Apple's SQLite store does: `name != 'x'` then excludes rows whose `name` is
/// nil.
///
/// Not in Apple's framework. Without the option, nil differs from 'x' in every store, as in Apple's evaluation in
/// memory. With it, a comparison and its negation are both false where one side is nil, except comparisons with the
/// constant nil; the conditions of `ANY` and `ALL` on elements are unaffected. If one store of a coordinator has the
/// option, it applies to all fetches of the coordinator.
public let CoreDataNullComparisonOption = "CoreDataNullComparisonOption"

/// In the user info of the coordinator's notification: the stores that were added.
public let NSAddedPersistentStoresKey = "NSAddedPersistentStoresKey"
/// In the user info of the coordinator's notification: the stores that were removed.
public let NSRemovedPersistentStoresKey = "NSRemovedPersistentStoresKey"

/// In the user info of the coordinator's notification: the store before and after its UUID changed.
public let NSUUIDChangedPersistentStoresKey = "NSUUIDChangedPersistentStoresKey"

/// In the user info of the remote change notification: the URL of the store.
public let NSPersistentStoreURLKey = "storeURL"
/// In the user info of the remote change notification: the history token of the state after the change.
public let NSPersistentHistoryTokenKey = "historyToken"
