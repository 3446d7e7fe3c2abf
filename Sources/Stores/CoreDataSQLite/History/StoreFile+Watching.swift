import CoreDataSQL
import SQLiteKit

extension StoreFile: ChangeWatching {
    /// A database in memory and a private copy do not have other users.
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

    /// A number that is another after any commit of another connection, and not after one of this connection or a checkpoint.
    private func foreignVersion() throws -> Int64 { try connection.pragma("data_version")?.integer ?? 0 }
}
