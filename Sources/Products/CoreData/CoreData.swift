@_exported import CoreDataGraph
@_exported import CoreDataMigration
@_exported import CoreDataSQLite

/// The class of stores in one file of SQLite.
package typealias SQLiteStore = BackedStore<StoreFile>
