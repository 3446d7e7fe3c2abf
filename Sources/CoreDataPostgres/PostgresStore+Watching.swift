import CoreDataSQL
import PostgresKit

extension PostgresStore: ChangeWatching {
    /// What others have committed is known by the history.
    package var changeWatching: (any ChangeWatching)? { recordedHistory == nil ? nil : self }

    @discardableResult package func watchWrites(_ written: (@Sendable () -> Void)?) -> Bool {
        watch?.end()
        watch = nil
        guard let written, let history = recordedHistory?.schema else { return true }
        watch = CommitWatch(channel, history, written)
        return true
    }

    package func takeForeignCommit() throws -> Bool {
        let newest = try historyExtent().newest
        defer { seenTransaction = newest }
        return newest != seenTransaction
    }

    package func takeForeignMetadata() throws -> (former: [String: Any], present: [String: Any])? {
        try session.reporting("be read") {
            let read = try PostgresMetadata.read(session.connection, shape.schema, shape.location)
            let present = MetadataRules.ownKeys(of: read.values)
            let former = knownMetadata
            guard !MetadataRules.areEqual(former, present) else { return nil }
            if !shape.store.hasUnsavedMetadata { knownMetadata = present }
            return (former, present)
        }
    }
}
