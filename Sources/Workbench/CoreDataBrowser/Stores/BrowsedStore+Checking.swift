import CoreData

/// The check of a store's file, and its repair.
extension BrowsedStore {
    /// Checks the store's file for damage and inconsistencies; ends when the task is cancelled.
    ///
    /// - Throws: `BrowserFailure`: 403 for users who may not read everything, since findings cover all objects; 422 for
    ///   a store that is not a file. `CancellationError`, and errors of reading the file.
    func check(for access: BrowserAccess, limit: Int) async throws -> StoreCheckReport {
        let check = try storeCheck(for: access, limit: limit)
        return try await Self.onOwnThread { try check.run() }
    }

    /// A check of the file, which is not run yet.
    func storeCheck(for access: BrowserAccess, limit: Int) throws -> StoreCheck {
        try requireReadingAll(for: access, "a check reports", hint: "ask who runs the browser")
        var check = StoreCheck(try storeFile("there is nothing to check"), model: model)
        check.limit = limit
        return check
    }
}
