import CoreDataSQL
import SQLiteKit

extension StoreFile: ChangeWatching {
    /// Nil for a database in memory and for a private copy, which no other connection changes.
    package var changeWatching: (any ChangeWatching)? { copy == nil && MemoryPlace(url) == nil ? self : nil }

    @discardableResult package func watchWrites(_ written: (@Sendable () -> Void)?) -> Bool {
        watch?.end()
        seenVersion = (try? foreignVersion()) ?? 0
        watch = written.flatMap { makeWatch(url.resolvingSymlinksInPath().path, $0) }
        return watch != nil
    }

    package func takeForeignCommit() throws -> Bool {
        try reporting("be read") {
            let version = try foreignVersion()
            defer { seenVersion = version }
            if version != seenVersion { searchWriter?.bringInStep(connection) }
            return version != seenVersion
        }
    }

    /// Returns a number that changes with commits of other connections, but not with this connection's commits or
    /// checkpoints.
    private func foreignVersion() throws -> Int64 { try connection.pragma("data_version")?.integer ?? 0 }
}
