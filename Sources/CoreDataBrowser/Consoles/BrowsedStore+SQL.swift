import CoreData

/// Statements of SQL that somebody writes.
extension BrowsedStore {
    /// Asks the store's file on a connection of its own, which is closed afterwards; ends when the task is cancelled.
    ///
    /// - Throws: `BrowserFailure`: 403 for who may not read everything, since SQL knows no rules; 422 for a store that is no
    ///   file of SQLite; what `body` throws, and `CancellationError`.
    func askSQL<Result: Sendable>(
        for access: BrowserAccess, _ body: @Sendable @escaping (SQLConsole) throws -> Result
    ) async throws -> Result {
        try requireFile()
        let opened = opened
        try requireReadingAll(for: access, "SQL shows", hint: "the fetch console shows what you may read")
        let url = try fileForSQL(opened)
        return try await namingFileProblem {
            try await Self.onOwnThread {
                try body(
                    SQLConsole(
                        storeAt: url, model: opened.wholeModel, configuration: opened.store.configurationName))
            }
        }
    }

    private func fileForSQL(_ opened: OpenedStore) throws -> URL {
        guard opened.store.type == NSSQLiteStoreType, let url = opened.store.url, url.isFileURL,
            !url.path.hasPrefix("/dev/null")
        else {
            let isSQLite = opened.store.type == NSSQLiteStoreType
            throw BrowserFailure(
                422, "notSQLite",
                isSQLite
                    ? "the store is in the memory of its program, where only that can ask it"
                    : "the store is of type \(opened.store.type), and only stores in SQLite have SQL",
                hint: "the fetch console asks stores of all types")
        }
        return url
    }
}
