import CoreData

/// Asks a store by statements of SQL that a person writes, and changes nothing. For one thread.
package protocol SQLConsole {
    /// The store's tables and columns.
    func names() throws -> SQLNames
    /// The names of a statement's parameters.
    ///
    /// - Throws: `SQLConsoleError`.
    func parameters(of sql: String) throws -> [String]
    /// Carries a statement out, up to the limits.
    ///
    /// - Throws: `SQLConsoleError`, and what goes wrong with the store; `CancellationError` where no caller waits any more.
    func answer(_ question: SQLQuery) throws -> SQLAnswer
}

/// The kinds of store that have SQL.
package enum SQLConsoles {
    /// A console for a store; nil for a kind without SQL.
    ///
    /// - Parameter model: names columns; nil where it is not at hand.
    /// - Throws: `NSPersistentStoreOpenError` or 259 for what is not a store; `SQLConsoleError` of code `off` where statements are not
    ///   allowed.
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
