import CoreData

/// Whether a store has a persistent history, and the problems of that history.
package struct HistoryPresence {
    /// Whether the store should be opened with its history.
    package private(set) var isOn = false
    /// Whether the store's history records old values, so that edits must record them too.
    package private(set) var keepsOldValues = false
    private(set) var problems: [String] = []

    /// Examines a store's history as far as the use of the store requires it.
    ///
    /// - Throws: `InspectionError` of code `noHistory` if a history is required and does not exist.
    package init(_ facts: StoreFacts, for use: StoreUse) throws {
        guard use != .reading, use != .exporting else { return }
        guard facts.type == .sqlite else {
            isOn = try Self.keepsHistory(facts)
            guard isOn || use.isEditing || use.takesAnyHistory else { throw InspectionError.noHistory(facts.url) }
            return
        }
        let raw = try Self.rawStore(facts)
        keepsOldValues = raw?.hasOldValues ?? false
        guard !use.isEditing else {
            isOn = raw?.hasHistory ?? false
            return
        }
        guard let raw, !raw.missingHistoryTables.contains("ATRANSACTION") else {
            guard use.takesAnyHistory else { throw InspectionError.noHistory(facts.url) }
            return
        }
        isOn = true
        problems = raw.missingHistoryTables.map { "The history is damaged: the table \($0) is missing." }
    }

    /// Whether a store that is not a SQLite file has a history.
    static func keepsHistory(_ facts: StoreFacts) throws -> Bool {
        let storeClass = NSPersistentStoreCoordinator.registeredStoreTypes[facts.type.rawValue]
        do {
            return try storeClass?.keepsHistory(at: facts.url) ?? false
        } catch {
            throw InspectionError.unreadable(facts.url, error)
        }
    }

    private static func rawStore(_ facts: StoreFacts) throws -> RawStore? {
        guard facts.type == .sqlite else { return nil }
        do {
            return try RawStore(at: facts.url)
        } catch {
            throw InspectionError.unreadable(facts.url, error)
        }
    }
}

extension InspectionError {
    /// The error for a store without a history; `reason` says why it has none, if that is known.
    package static func noHistory(_ url: URL, _ reason: String? = nil) -> InspectionError {
        InspectionError(
            .noHistory, subject: url.place, cause: "the store has no persistent history",
            hint: reason ?? "it is recorded while a store is opened with NSPersistentHistoryTrackingKey")
    }
}
