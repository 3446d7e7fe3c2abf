import CoreDataSQL
import SQLiteKit

/// The tables and columns that a deferred migration has left to be dropped, as the new model does not use them.
///
/// The store already has the new version: all programs, including those with Apple's framework, can use it, and none
/// uses what is left. The metadata contain `NSPersistentStoreDeferredLightweightMigrationOptionKey` while there are
/// tasks.
struct DeferredTasks {
    struct Task: Equatable {
        let id: Int64
        let table: String
        /// Nil if the complete table is to be dropped.
        let column: String?
    }

    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// The next task; nil if there are no more tasks.
    func next() throws -> Task? {
        guard
            let table = try connection.catalog(columnsOf: [MigrationNames.tasks.uppercased()]).table(
                MigrationNames.tasks),
            !table.isVirtual, table.columns.map({ $0.name.uppercased() }) == ["ID", "TABLENAME", "COLUMNNAME"]
        else { return nil }
        let sql =
            "SELECT ID, TABLENAME, COLUMNNAME FROM \(MigrationNames.tasks) WHERE typeof(TABLENAME) = 'text' LIMIT 1"
        return try connection.rows(sql).first.flatMap { row in
            row[1].text.map { Task(id: row[0].integer ?? 0, table: $0, column: row[2].text) }
        }
    }

    /// Carries out a task within a transaction.
    ///
    /// - Parameter schema: the tables that the model uses, of which nothing is ever dropped.
    /// - Returns: the names of files of large values that no row names any more.
    func finish(_ task: Task, keeping schema: StoreSchema) throws -> Set<String> {
        var names: Set<String> = []
        if let statement = try statement(for: task, keeping: schema) {
            names = try ExternalFiles.names(in: connection)
            try connection.execute(statement)
            names.subtract(try ExternalFiles.names(in: connection))
        }
        try connection.execute("DELETE FROM \(MigrationNames.tasks) WHERE ID = ?", [.integer(task.id)])
        if try next() == nil { try connection.execute("DROP TABLE \(MigrationNames.tasks)") }
        return names
    }

    /// Carries out all tasks within a transaction; returns the names of files that no row names any more.
    func finishAll(keeping schema: StoreSchema) throws -> Set<String> {
        var names: Set<String> = []
        while let task = try next() { names.formUnion(try finish(task, keeping: schema)) }
        return names
    }

    /// Returns the DROP statement; nil if the item is missing, or must not be dropped whatever the file's tasks say.
    private func statement(for task: Task, keeping schema: StoreSchema) throws -> String? {
        let catalog = try connection.catalog(columnsOf: [task.table.uppercased()])
        guard let table = catalog.table(task.table), !table.isVirtual else { return nil }
        let name = SQLIdentifier.quoted(table.name)
        guard let column = task.column else {
            return table.name.uppercased().hasPrefix(MigrationNames.deferredPrefix) ? "DROP TABLE \(name)" : nil
        }
        let known = schema.tables.first { $0.name.uppercased() == table.name.uppercased() }
        guard let known, !known.columns.contains(where: { $0.name.uppercased() == column.uppercased() }),
            let present = table.columns.first(where: { $0.name.uppercased() == column.uppercased() })
        else { return nil }
        return "ALTER TABLE \(name) DROP COLUMN \(SQLIdentifier.quoted(present.name))"
    }
}

extension StoreFile: DeferredMigrating {
    package var deferredMigrating: (any DeferredMigrating)? { isReadOnly ? nil : self }

    package func finishDeferredTask() throws -> Bool {
        try reporting("finish its migration") {
            let tasks = DeferredTasks(connection)
            guard let task = try tasks.next() else { return false }
            let names = try connection.transaction {
                // The connection's temporary triggers name the tables' columns, so they are dropped first and created
                // again afterwards.
                for trigger in try connection.rows("SELECT name FROM sqlite_temp_master WHERE type = 'trigger'") {
                    try connection.execute("DROP TRIGGER temp.\(SQLIdentifier.quoted(trigger[0].text ?? ""))")
                }
                let names = try tasks.finish(task, keeping: schema)
                if try tasks.next() == nil { try clearMark() }
                return names
            }
            try historyWriter?.attach(to: connection)
            ExternalFiles.remove(names, of: url)
            return true
        }
    }

    private func clearMark() throws {
        var values = try StoreMetadata.read(connection, url).values
        values[NSPersistentStoreDeferredLightweightMigrationOptionKey] = nil
        try StoreMetadata.rewrite(values, in: connection, url)
    }
}
