import CoreDataSQL
import SQLiteKit

/// Checks whether the file is still the store that was opened.
extension StoreFile {
    /// Throws if the file was replaced, or now contains another store, so that a save must not write to it.
    func requireSameFile() throws {
        guard !connection.fileHasMoved else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The file '\(url.path)' was deleted, renamed or replaced while it was open.",
                hint: "Open the store again and save the objects there.")
        }
        guard connection.dataVersion != verified.dataVersion, unrecordedIdentifier == nil else { return }
        let present = try StoreMetadata.marks(connection)
        guard present.identifier == store.identifier else { throw replaced("replaced by another") }
        try requireSameVersion(present.bytes)
        try requireLaterState()
    }

    /// Throws if the store was migrated: it has the same identifier, but its columns and entity numbers no longer fit
    /// the model.
    private func requireSameVersion(_ metadata: Value?) throws {
        guard metadata != verified.metadata || metadata == nil else { return }
        let key = NSStoreModelVersionHashesKey
        let hashes = try StoreMetadata.read(connection, url).values[key] as? [String: Data]
        guard hashes == store.metadata?[key] as? [String: Data] else {
            throw replaced("migrated to another version of the model")
        }
        verified.metadata = metadata
    }

    /// Throws if the file was replaced by an older copy, which has the same identifier and version, but lacks the
    /// newest transactions of the history; transaction numbers are never reused.
    private func requireLaterState() throws {
        guard historyWriter != nil else { return }
        let newest = try HistoryKeys.greatest(.transaction, connection)
        guard newest >= verified.transaction else { throw replaced("replaced by an older copy of itself") }
        verified.note(transaction: newest)
    }

    private func replaced(_ what: String) -> NSError {
        CoreDataError.make(
            NSPersistentStoreSaveError, "The store in the file '\(url.path)' was \(what) while it was open.",
            hint: "Remove the store from the coordinator, add it again, and make the changes there.")
    }

    /// Records the file's state after a commit of this connection.
    func noteCommit(_ transaction: Int64?) {
        verified.dataVersion = connection.dataVersion
        if let transaction { verified.note(transaction: transaction) }
        unrecordedIdentifier = nil
    }

    func recordIdentifier() throws {
        guard let unrecordedIdentifier else { return }
        try connection.execute("UPDATE Z_METADATA SET Z_UUID = ?", [.text(unrecordedIdentifier)])
    }
}
