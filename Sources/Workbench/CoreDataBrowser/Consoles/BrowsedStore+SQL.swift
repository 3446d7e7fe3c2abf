import CoreData

/// Runs SQL statements that a user writes.
extension BrowsedStore {
    /// Runs `body` on a thread and a connection of its own, which is closed afterwards; ends when the task is
    /// cancelled.
    ///
    /// - Throws: `BrowserFailure`: 403 for a user who may not read everything, since the rules do not apply to SQL; 422
    ///   for a type of store without SQL; what `body` throws, and `CancellationError`.
    func askSQL<Result: Sendable>(
        for access: BrowserAccess, _ body: @Sendable @escaping (any SQLConsole) throws -> Result
    ) async throws -> Result {
        try requireFile()
        let opened = opened
        try requireReadingAll(for: access, "SQL shows", hint: "the fetch console shows what you may read")
        let (type, url) = try place(opened)
        return try await namingFileProblem {
            try await Self.onOwnThread {
                let console = try SQLConsoles.console(
                    of: type, at: url, model: opened.wholeModel, configuration: opened.store.configurationName)
                guard let console else {
                    throw BrowserFailure(
                        422, code: "notSQLite",
                        reason:
                            "the store is of type \(type.rawValue), and only stores in SQLite and PostgreSQL have SQL",
                        hint: Self.elsewhere)
                }
                return try body(console)
            }
        }
    }

    private static let elsewhere = "the fetch console asks stores of all types"

    /// The store's type and where it is.
    private func place(_ opened: ServedStore) throws -> (NSPersistentStore.StoreType, URL) {
        let type = NSPersistentStore.StoreType(rawValue: opened.store.type)
        guard let url = file ?? opened.store.url, !(url.isFileURL && url.path.hasPrefix("/dev/null")) else {
            throw BrowserFailure(
                422, code: "notSQLite", reason: "the store is in the memory of its program, where only that can ask it",
                hint: Self.elsewhere)
        }
        return (type, url)
    }
}
