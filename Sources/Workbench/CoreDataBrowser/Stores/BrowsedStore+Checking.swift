import CoreData

/// The check of a store's file, and its repair.
extension BrowsedStore {
    /// Looks for everything in the store's file that is not as it should be; ends when the task is cancelled.
    ///
    /// - Throws: `BrowserFailure`: 403 for users who may not read everything, since findings cover all objects; 422 for a store
    ///   that is not a file. `CancellationError`, and what goes wrong with the file.
    func check(for access: BrowserAccess, limit: Int) async throws -> StoreCheckReport {
        let check = try storeCheck(for: access, limit: limit)
        return try await Self.onOwnThread { try check.run() }
    }

    /// The check of the file as it is now.
    func storeCheck(for access: BrowserAccess, limit: Int) throws -> StoreCheck {
        try requireReadingAll(for: access, "a check reports", hint: "ask who runs the browser")
        var check = StoreCheck(try storeFile("there is nothing to check"), model: model)
        check.limit = limit
        return check
    }
}
