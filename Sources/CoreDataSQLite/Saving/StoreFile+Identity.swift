import CoreDataSQL
import SQLiteKit

/// What is known of a file since it last proved to be the store that was opened.
struct IdentityProof {
    /// The connection's number of commits by anybody; as long as it is the same, so is the file.
    var dataVersion: UInt32 = 0
    /// The property list of the metadata, which tells the version of the model.
    fileprivate var metadata: Value?
    /// The greatest number of a transaction of the history.
    fileprivate var transaction: Int64 = 0

    mutating func note(transaction number: Int64) { transaction = max(transaction, number) }
}

/// A file that was replaced under us, or got another store's content, must not be written to as if it were ours.
extension StoreFile {
    /// Called within each transaction that writes, before anything is written.
    ///
    /// - Throws: 134030 for a file that was moved away, and for content that is not that of the store that was opened: another
    ///   store's, an older copy's, or what a migration has made of it.
    func requireSameFile() throws {
        guard !connection.fileHasMoved else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The file '\(url.path)' was deleted, renamed or replaced while it was open.",
                hint: "Open the store again and save the objects there.")
        }
        guard connection.dataVersion != proof.dataVersion, unrecordedIdentifier == nil else { return }
        let present = try StoreMetadata.marks(connection)
        guard present.identifier == store.identifier else { throw replaced("replaced by another") }
        try requireSameVersion(present.bytes)
        try requireLaterState()
    }

    /// Notes what a commit of this connection has made of the file.
    func noteCommit(_ transaction: Int64?) {
        proof.dataVersion = connection.dataVersion
        if let transaction { proof.note(transaction: transaction) }
        unrecordedIdentifier = nil
    }

    /// A migrated store keeps its identity, but its columns and numbers of entities are no longer those of the model.
    private func requireSameVersion(_ metadata: Value?) throws {
        guard metadata != proof.metadata || metadata == nil else { return }
        let key = NSStoreModelVersionHashesKey
        let hashes = try StoreMetadata.read(connection, url).values[key] as? [String: Data]
        guard hashes == store.metadata?[key] as? [String: Data] else {
            throw replaced("migrated to another version of the model")
        }
        proof.metadata = metadata
    }

    /// An older copy has the identity and the version, but not the last transactions of the history; numbers are never
    /// given again.
    private func requireLaterState() throws {
        guard historyWriter != nil else { return }
        let newest = try HistoryKeys.greatest(.transaction, connection)
        guard newest >= proof.transaction else { throw replaced("replaced by an older copy of itself") }
        proof.note(transaction: newest)
    }

    private func replaced(_ what: String) -> NSError {
        CoreDataError.make(
            NSPersistentStoreSaveError, "The store in the file '\(url.path)' was \(what) while it was open.",
            hint: "Remove the store from the coordinator, add it again, and make the changes there.")
    }

    /// Called before the history is read: another store's transactions have the same numbers.
    ///
    /// - Throws: 134501, as for a token of another store.
    func requireSameHistory() throws {
        guard unrecordedIdentifier == nil else { return }
        let identifier = try connection.value("SELECT Z_UUID FROM Z_METADATA LIMIT 1")?.text
        guard identifier == store.identifier else {
            throw CoreDataError.make(
                134_501, "The store in the file '\(url.path)' was replaced by another while it was open.",
                reason: "The history in the file is not that of the store that was opened.",
                hint: "Remove the store from the coordinator and add it again; forget tokens of the former store.")
        }
    }
}
