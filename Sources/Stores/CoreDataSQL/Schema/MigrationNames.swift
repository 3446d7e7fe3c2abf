/// Names of tables that only migrations know.
package enum MigrationNames {
    /// A table that is being made.
    static func temporary(of table: String) -> String { "OPENCOREDATA_NEW_\(table)" }
    /// A table of before while another takes its name.
    static func former(of table: String) -> String { "OPENCOREDATA_OLD_\(table)" }
    /// A table that is to be dropped later.
    static func deferred(_ table: String, number: Int) -> String { "\(deferredPrefix)\(number)_\(table)" }

    /// How the names of all tables begin that are to be dropped later.
    package static let deferredPrefix = "OPENCOREDATA_UNUSED_"
    /// The table of what is to be done later: a row for each table, and for each column of one that stays.
    package static let tasks = "OpenCoreDataDeferredTasks"
    /// The statement that makes it.
    package static let tasksDefinition =
        "CREATE TABLE \(tasks) ( ID INTEGER PRIMARY KEY, TABLENAME TEXT, COLUMNNAME TEXT )"
}
