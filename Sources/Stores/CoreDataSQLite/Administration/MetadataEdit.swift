import CoreDataSQL
import SQLiteKit

/// Writes the metadata of a store that is not open; nothing else in the file changes.
struct MetadataEdit {
    let url: URL

    /// Replaces the program's own metadata, and the store's identifier if `metadata` contains a valid one.
    ///
    /// - Throws: `NSPersistentStoreOpenError` when the file is not a store, `NSPersistentStoreSaveError` when the
    ///   values cannot be stored, and others of `NSCocoaErrorDomain`; the file is then as before.
    func write(_ metadata: [String: Any]) throws {
        let identifier = try newIdentifier(metadata)
        do {
            let connection = try Connection.open(url.path, OpenOptions(mode: .readWrite))
            defer { connection.close() }
            try SQLiteStoreOpening.requireStore(connection, url)
            // A trigger in an untrusted file must not run and make other changes.
            try connection.configure(.triggers, false)
            try connection.transaction(.immediate) {
                let present = try StoreMetadata.read(connection, url)
                try StoreMetadata.rewrite(
                    MetadataRules.merged(metadata, keeping: present.values), in: connection, url)
                guard let identifier, identifier != present.identifier else { return }
                try connection.execute(
                    "UPDATE Z_METADATA SET Z_UUID = ? WHERE Z_VERSION IS (SELECT Z_VERSION FROM Z_METADATA LIMIT 1)",
                    [.text(identifier)])
            }
        } catch let error as SQLiteError {
            throw error.refusal == nil
                ? StoreErrors.cocoaError(error, at: url, during: "be given metadata")
                : StoreErrors.cocoaError(error, opening: url)
        }
    }

    private func newIdentifier(_ metadata: [String: Any]) throws -> String? {
        guard let given = metadata[NSStoreUUIDKey] else { return nil }
        guard let text = given as? String, UUID(uuidString: text) != nil else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The metadata of the store '\(url.path)' cannot be written: its '\(NSStoreUUIDKey)' is no UUID.",
                hint: "Leave the key out to keep the store's identity.")
        }
        return text
    }
}
