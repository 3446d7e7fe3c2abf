import CoreDataSQL
import SQLiteKit

extension StoreFile {
    /// Notes the metadata that was read when the store was opened.
    func beginMetadata(_ values: [String: Any]) throws {
        knownMetadata = KnownMetadata(
            bytes: try StoreMetadata.marks(connection).bytes, entries: MetadataRules.ownKeys(of: values),
            dataVersion: connection.dataVersion)
    }

    /// The program's entries before and after others have changed them; nil where they are unchanged since this was last asked.
    ///
    /// As long as the delegate has entries that are not saved, what they were before stays what they are compared with.
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

    /// Writes the metadata that the delegate has changed. Entries that others have changed meanwhile, and it has not, stay as
    /// they are, and so does what the store says of itself.
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

    /// Has the delegate know the metadata that has been written.
    func finishMetadata() {
        guard store.hasUnsavedMetadata else { return }
        store.metadata = MetadataRules.merged(knownMetadata.entries, keeping: store.metadata ?? [:])
        store.hasUnsavedMetadata = false
    }
}
