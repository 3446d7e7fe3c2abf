/// Names of tables that only migrations use.
package enum MigrationNames {
    /// Returns the name of a new table until it replaces the old one.
    static func temporary(of table: String) -> String { "OPENCOREDATA_NEW_\(table)" }
    /// Returns the name of an old table while another table gets its name.
    static func former(of table: String) -> String { "OPENCOREDATA_OLD_\(table)" }
    /// Returns the name of a table whose removal is deferred.
    static func deferred(_ table: String, number: Int) -> String { "\(deferredPrefix)\(number)_\(table)" }

    /// The prefix of the names of all tables whose removal is deferred.
    package static let deferredPrefix = "OPENCOREDATA_UNUSED_"
    /// The table of deferred tasks: one row for each table to drop, and for each column to drop.
    package static let tasks = "OpenCoreDataDeferredTasks"
    /// The statement that creates the table of deferred tasks.
    package static let tasksDefinition =
        "CREATE TABLE \(tasks) ( ID INTEGER PRIMARY KEY, TABLENAME TEXT, COLUMNNAME TEXT )"
}
