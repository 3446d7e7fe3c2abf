import CoreDataSQL
import PostgresKit

extension PostgresStore: ChangeWatching {
    package var changeWatching: (any ChangeWatching)? { self }

    /// Commits of others are detected by the history, or without one by the markers that saves leave.
    @discardableResult package func watchWrites(_ written: (@Sendable () -> Void)?) -> Bool {
        watch?.end()
        watch = nil
        guard let written else { return true }
        if let history = recordedHistory?.schema {
            watch = CommitWatch(channel, state: { try [$0.query(history.newest).int64(0, 0) ?? 0] }, written)
        } else {
            let marker = marker
            watch = CommitWatch(channel, state: { try marker.othersState($0) }, written)
        }
        return true
    }

    package func takeForeignCommit() throws -> Bool {
        let newest =
            try recordedHistory == nil
            ? session.reporting("be read") { try marker.othersState(session.connection) } : [historyExtent().newest]
        let isNotified = watch?.takeNotification() ?? false
        defer { seenState = newest }
        return newest != seenState || isNotified && recordedHistory == nil
    }

    package func takeForeignMetadata() throws -> (former: [String: Any], present: [String: Any])? {
        try session.answering {
            try session.reporting("be read") {
                let read = try PostgresMetadata.read(session.connection, schema: shape.schema, location: shape.location)
                let present = MetadataRules.ownKeys(of: read.values)
                let former = knownMetadata
                guard !MetadataRules.areEqual(former, present) else { return nil }
                if !shape.store.hasUnsavedMetadata { knownMetadata = present }
                return (former, present)
            }
        }
    }
}
