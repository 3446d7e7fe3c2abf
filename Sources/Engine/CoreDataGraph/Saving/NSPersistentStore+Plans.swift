import CoreDataStore

/// Executing save plans.
extension NSPersistentStore {
    /// Runs `save`, which executes a plan, while no other thread uses the store, and then `finish` if it succeeded.
    func carryingOut(
        _ save: () throws -> SaveOutcome, finish: (SaveReceipt) -> Void
    ) throws -> SaveOutcome {
        try serialized {
            var wasSaved = false
            let backup = takeBackupMark()
            defer { if !wasSaved { putBack(backup) } }
            let outcome = try save()
            if case .saved(let receipt) = outcome {
                wasSaved = true
                if let backup, let url {
                    StoreToOpen.removeBackup(named: backup, of: url, storeClass: Swift.type(of: self))
                }
                remoteChanges.noteCommit(receipt.transaction, announcing: receipt.position, in: self)
                finish(receipt)
            }
            return outcome
        }
    }

    /// Saves rows for which no context has objects, without validating them; returns false if they conflict with rows
    /// of the store, which then remains unchanged.
    ///
    /// - Throws: `NSPersistentStoreSaveError` if the store has been removed, and the store's error.
    package func save(_ plan: SavePlan) throws -> Bool {
        guard let source = objects else {
            throw CoreDataError.make(NSPersistentStoreSaveError, "The store has been removed from its coordinator.")
        }
        let outcome = try carryingOut {
            try source.save(plan)
        } finish: { _ in
            rowCache.noteUnknownChanges()
        }
        if case .saved = outcome { return true }
        return false
    }
}
