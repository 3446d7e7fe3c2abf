import CoreDataModeling

/// The kind of a store in one file of SQLite.
public let NSSQLiteStoreType = "SQLite"
/// The kind of a store in one XML file.
public let NSXMLStoreType = "XML"
/// The kind of a store in one binary file.
public let NSBinaryStoreType = "Binary"
/// The kind of a store in memory.
public let NSInMemoryStoreType = "InMemory"

/// The kind of a store in a schema of a PostgreSQL database, by a `postgresql://` URL. Not one of Apple's; in the product
/// `CoreDataPostgres`.
///
/// ```swift
/// import CoreDataPostgres
///
/// let description = NSPersistentStoreDescription(url: URL(string: "postgresql://app@db.example.com/shop?schema=orders")!)
/// description.type = CoreDataPostgreSQLStoreType
/// container.persistentStoreDescriptions = [description]
/// ```
public let CoreDataPostgreSQLStoreType = "PostgreSQL"

/// The version of Apple's framework whose files the library writes: what new stores bear in their metadata.
public let NSCoreDataVersionNumber: Double = 1344

/// In a store's metadata: the kind of the store.
public let NSStoreTypeKey = "NSStoreType"
/// In a store's metadata: the store's identity.
public let NSStoreUUIDKey = "NSStoreUUID"
/// In a store's metadata: the version hash of each entity of the model.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// In a store's metadata: the model's version identifiers.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// In a store's metadata: the first framework version that can read it.
public let NSPersistentStoreOSCompatibility = "NSPersistentStoreOSCompatibility"
/// In a store's metadata: the checksum of the model.
public let NSPersistentStoreModelVersionChecksumKey = "NSStoreModelVersionChecksumKey"

/// Option: whether the store refuses to save.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Option: how many seconds to wait for a store that another process uses.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Option: a dictionary of SQLite pragmas to set when the store is opened.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Option: whether to let SQLite gather statistics when the store is opened.
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Option: whether to rebuild the file when the store is opened.
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// Option: whether to open a store though its model's version hashes differ.
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// Option: whether to migrate a store that was made with another version of the model.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// Option: whether to infer the mapping that a migration needs.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Option: the `NSStagedMigrationManager` whose stages lead a store of another version to the model.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"
/// Option: whether what a lightweight migration need not do at once is left for later.
///
/// See `NSPersistentStoreCoordinator.finishDeferredLightweightMigration()`.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
    "NSPersistentStoreDeferredLightweightMigrationOptionKey"
/// Option: whether an inferred migration stores values that the new model lacks, so that a later one can restore them.
///
/// Not in Apple's framework, which ignores the table `OpenCoreDataKeptValues` with these values. For SQLite stores.
public let CoreDataMigrationKeepsValuesOption = "CoreDataMigrationKeepsValuesOption"
/// Option: whether a copy of a store is made beside it before it is migrated; a container sets it unless specified otherwise.
///
/// Not one of Apple's. The copy is a store of the old version, named like the store with `-backup-` and the time; its blocks
/// are shared where the file system can. The first save that succeeds afterwards removes it.
public let CoreDataMigrationBackupOption = "CoreDataMigrationBackupOption"
/// In a store's metadata: the name of the copy that was made before it was migrated, until the first save.
package let CoreDataMigrationBackupKey = "CoreDataMigrationBackup"
/// Option: URLs of models, mapping models, and folders with such, that a migration uses besides the program's resources.
///
/// Not one of Apple's. An array of `URL`.
public let CoreDataMigrationResourcesOption = "CoreDataMigrationResourcesOption"
/// Option: whether an inferred migration that would drop stored values or objects is refused with `NSInferredMappingModelError`.
///
/// Not one of Apple's, whose framework drops them in silence. Without it a line on standard error warns of each loss that
/// looks like a renaming without a renaming identifier.
public let CoreDataMigrationRefusesLossOption = "CoreDataMigrationRefusesLossOption"
/// Option of destroying: whether to destroy a store that others hold, or that is damaged, by removing its file.
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// Option: how the system protects the file; taken and without effect here.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
/// Option: how many connections of a SQLite or PostgreSQL store may read at once, beside the one that writes; 4 unless given.
///
/// Each is opened when it is first needed. Streamed reads and query generations have theirs until they are released.
/// Without effect on stores that one thread reads at a time: those in memory, and those with a rollback journal that are
/// opened for writing. Values below 1 count as 1.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"

/// Option: whether the store records who changed what; see `NSPersistentHistoryChangeRequest`.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// Option: whether the history of a SQLite store also keeps the values that each transaction wrote over; off unless given.
///
/// Not one of Apple's, whose framework ignores the tables that they are kept in. With them a transaction can be reverted
/// (`NSManagedObjectContext.revert(_:)`) and a past state read (`NSPersistentStoreCoordinator.queryGeneration(asOf:)`), as
/// long as it is not deleted from the history. Needs `NSPersistentHistoryTrackingKey`; the file grows by what is kept.
public let CoreDataHistoryKeepsOldValuesOption = "CoreDataHistoryKeepsOldValuesOption"
/// Option: whether `NSPersistentStoreRemoteChange` is posted of every commit to the store, also by other processes.
///
/// Own commits are reported too, as by Apple's framework. Stores in memory report only own commits, since other processes cannot use them.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey = "NSPersistentStoreRemoteChangeNotificationOptionKey"

/// Option: whether a store is refused when the program lacks a class or a value transformer that its model names.
///
/// Not in Apple's framework. Without it a line on standard error names what is missing, and the store is opened.
public let CoreDataStrictModelOption = "CoreDataStrictModelOption"

/// Option: whether fetches answer as Apple's SQLite store does where there is nil: `name != 'x'` then leaves out nil.
///
/// Not one of Apple's. Without it nil differs from 'x' in every store, as in Apple's evaluation in memory. With it neither a
/// comparison nor its opposite holds where a side is nil, unless it is compared with nil itself; what `ANY` and `ALL` ask
/// of elements is as ever. One store with the option makes it so for all fetches through its coordinator.
public let CoreDataNullComparisonOption = "CoreDataNullComparisonOption"

/// In the coordinator's notification: the stores that were added.
public let NSAddedPersistentStoresKey = "NSAddedPersistentStoresKey"
/// In the coordinator's notification: the stores that were removed.
public let NSRemovedPersistentStoresKey = "NSRemovedPersistentStoresKey"

/// In the coordinator's notification: a store whose identity changed, before it and after.
public let NSUUIDChangedPersistentStoresKey = "NSUUIDChangedPersistentStoresKey"

/// In the notification of a remote change: the URL of the store.
public let NSPersistentStoreURLKey = "storeURL"
/// In the notification of a remote change: the token of the state after it.
public let NSPersistentHistoryTokenKey = "historyToken"
