import CoreDataSQL
import SQLiteKit

/// The readers of a file: connections that cannot write, with the same functions and collations as the store's own.
extension StoreFile {
    /// `connect` opens the file at `path` once more.
    static func readers(
        _ shape: StoreShape, path: String, settings: ReaderPool.Settings, connect: @escaping () throws -> Connection
    ) -> ReaderPool {
        let place = FilePlace(path)
        let subject = ReaderPool.Subject(store: shape.url.lastPathComponent, system: "sqlite")
        return ReaderPool(subject, settings: settings) {
            try newReader(shape, path: path, place: place, connect: connect)
        }
    }

    /// Nil where the path no longer leads to the file that was opened, which the store's own connection still has.
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

    /// Reports readers that have been in use for long, each once: the log cannot be emptied meanwhile.
    ///
    /// Called after each commit, by which the log grows.
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
