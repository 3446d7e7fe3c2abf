import CoreDataSQL
import SQLiteKit

/// The pool of a file's readers: connections that cannot write, with the same functions and collations as the store's
/// own.
extension StoreFile {
    /// Creates the pool; `connect` opens another connection to the file at `path`.
    static func readers(
        _ shape: StoreShape, path: String, settings: ReaderPool.Settings, connect: @escaping () throws -> Connection
    ) -> ReaderPool {
        let place = FilePlace(path)
        let subject = ReaderPool.Subject(store: shape.url.lastPathComponent, system: "sqlite")
        return ReaderPool(subject, settings: settings) {
            try newReader(shape, path: path, place: place, connect: connect)
        }
    }

    /// Opens a reader; nil if the path no longer refers to the file that the store's own connection has open.
    private static func newReader(
        _ shape: StoreShape, path: String, place: FilePlace?, connect: () throws -> Connection
    ) throws -> StoreFile? {
        guard place != nil, place == FilePlace(path) else { return nil }
        let connection = try connect()
        do {
            try connection.setPragma("query_only", to: .integer(1))
            let reader = try StoreFile(reading: shape, connection)
            if !connection.fileHasMoved, place == FilePlace(path) { return reader }
            connection.close()
            return nil
        } catch {
            connection.close()
            throw error
        }
    }

    /// Warns about readers that have been in use for long, each once: until they are released, the log cannot be
    /// emptied.
    ///
    /// Called after each commit, since commits make the log grow.
    func reportLongUses() {
        for use in pool?.newLongUses() ?? [] {
            CoreDataLogging.report(
                .warning,
                "'\(url.path)' has a reader in use by \(use). Its log, now \(FileAccess.size(url.path + "-wal")) bytes, grows "
                    + "with each save until the reader is let go of.",
                metadata: [CoreDataLogging.MetadataKey.store: url.path])
        }
    }
}
