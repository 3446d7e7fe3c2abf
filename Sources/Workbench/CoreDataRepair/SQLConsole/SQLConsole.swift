import CoreData

/// Runs SQL statements that a person writes on a store, for reading only. To be used by one thread at a time.
package protocol SQLConsole {
    /// The store's tables and columns.
    func names() throws -> SQLNames
    /// The names of a statement's parameters.
    ///
    /// - Throws: `SQLConsoleError`.
    func parameters(of sql: String) throws -> [String]
    /// Runs a statement and returns its rows, up to the limits of the query.
    ///
    /// - Throws: `SQLConsoleError` for a bad or refused statement, errors of the store, and `CancellationError` if the
    ///   current `ReadCancellation` is cancelled.
    func answer(_ question: SQLQuery) throws -> SQLAnswer
}

/// Creates consoles for the store types whose stores can run SQL.
package enum SQLConsoles {
    /// A console for a store; nil for a store type without SQL.
    ///
    /// - Parameter model: the source of the columns' meanings; nil if no model is available.
    /// - Throws: `NSPersistentStoreOpenError` or `NSFileReadCorruptFileError` (259) for a file that is not a store;
    ///   `SQLConsoleError` with the code `consoleOff` if the store does not allow statements.
    package static func console(
        of type: NSPersistentStore.StoreType, at url: URL, model: NSManagedObjectModel?, configuration: String?
    ) throws -> (any SQLConsole)? {
        if type == .sqlite { return try SQLiteConsole(storeAt: url, model: model, configuration: configuration) }
        do {
            let storeClass = NSPersistentStoreCoordinator.registeredStoreTypes[type.rawValue]
            return try storeClass?.statementReading(at: url).map {
                ServerConsole($0, model: model, configuration: configuration)
            }
        } catch let error as StatementError {
            throw SQLConsoleError(error, in: "")
        }
    }
}
