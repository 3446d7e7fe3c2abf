/// Names of tables that only migrations know.
package enum MigrationNames {
    /// A table that is being made.
    static func temporary(of table: String) -> String { "OPENCOREDATA_NEW_\(table)" }
    /// A table of before while another takes its name.
    static func former(of table: String) -> String { "OPENCOREDATA_OLD_\(table)" }
    /// The name of a table whose removal is deferred.
    static func deferred(_ table: String, number: Int) -> String { "\(deferredPrefix)\(number)_\(table)" }

    /// The prefix of the names of all tables whose removal is deferred.
    package static let deferredPrefix = "OPENCOREDATA_UNUSED_"
    /// The table of deferred tasks: a row for each table, and for each column of a table that stays.
    package static let tasks = "OpenCoreDataDeferredTasks"
    /// The statement that makes it.
    package static let tasksDefinition =
        "CREATE TABLE \(tasks) ( ID INTEGER PRIMARY KEY, TABLENAME TEXT, COLUMNNAME TEXT )"
}
