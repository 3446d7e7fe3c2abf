import CoreDataSQL
import SQLiteKit

extension StoreFile {
    /// Sets the known metadata to what was read when the store was opened.
    func beginMetadata(_ values: [String: Any]) throws {
        knownMetadata = KnownMetadata(
            bytes: try StoreMetadata.marks(connection).bytes, entries: MetadataRules.ownKeys(of: values),
            dataVersion: connection.dataVersion)
    }

    /// Returns the program's metadata entries before and after a change by another connection; nil if they have not
    /// changed since the last call.
    ///
    /// While the delegate has unsaved entries, the entries that they are based on remain the ones to compare with.
    package func takeForeignMetadata() throws -> (former: [String: Any], present: [String: Any])? {
        try reporting("be read") {
            let version = connection.dataVersion
            guard version != knownMetadata.dataVersion || version == 0 else { return nil }
            let marks = try StoreMetadata.marks(connection)
            knownMetadata.dataVersion = version
            guard marks.bytes != knownMetadata.bytes, marks.identifier == store.identifier else { return nil }
            let present = MetadataRules.ownKeys(of: try StoreMetadata.read(connection, url).values)
            knownMetadata.bytes = marks.bytes
            let former = knownMetadata.entries
            guard !MetadataRules.areEqual(former, present) else { return nil }
            if !store.hasUnsavedMetadata { knownMetadata.entries = present }
            return (former, present)
        }
    }

    /// Writes the metadata entries that the delegate has changed. Entries that only other connections have changed, and
    /// the store's own entries, stay as they are.
    func recordMetadata() throws {
        guard store.hasUnsavedMetadata else { return }
        let present = try StoreMetadata.read(connection, url)
        let entries = MetadataRules.changes(
            from: knownMetadata.entries, to: MetadataRules.ownKeys(of: store.metadata ?? [:]),
            appliedTo: MetadataRules.ownKeys(of: present.values))
        let written = MetadataRules.written(entries, of: store.metadata ?? [:], keeping: present.values)
        try StoreMetadata.rewrite(written, in: connection, url)
        knownMetadata.entries = entries
        knownMetadata.bytes = try StoreMetadata.marks(connection).bytes
    }

    /// Passes the written metadata to the delegate.
    func finishMetadata() {
        guard store.hasUnsavedMetadata else { return }
        store.metadata = MetadataRules.merged(knownMetadata.entries, keeping: store.metadata ?? [:])
        store.hasUnsavedMetadata = false
    }
}
