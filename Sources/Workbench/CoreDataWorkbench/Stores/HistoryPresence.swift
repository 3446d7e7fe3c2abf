import CoreData

/// Whether a store has a persistent history, and what is wrong with it.
package struct HistoryPresence {
    /// Whether the store is to be opened with its history.
    package private(set) var isOn = false
    /// Whether the store's history keeps what transactions write over, as edits are then to do too.
    package private(set) var keepsOldValues = false
    private(set) var problems: [String] = []

    /// Looks at a store as far as what it is opened for makes it matter.
    ///
    /// - Throws: `InspectionError` of code `noHistory` where a history is to be read and there is none.
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

    /// Whether a store that is not a file of SQLite keeps a history.
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
    /// The store keeps no record of its changes; `reason` says why, where that is known.
    package static func noHistory(_ url: URL, _ reason: String? = nil) -> InspectionError {
        InspectionError(
            .noHistory, subject: url.place, cause: "the store has no persistent history",
            hint: reason ?? "it is recorded while a store is opened with NSPersistentHistoryTrackingKey")
    }
}
