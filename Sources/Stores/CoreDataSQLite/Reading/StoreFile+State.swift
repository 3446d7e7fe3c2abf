import CoreDataSQL
import SQLiteKit

extension StoreFile: StoreStateReporting {
    package var stateReporting: (any StoreStateReporting)? { self }

    /// The resolution of file systems' timestamps, with a margin.
    private static let grain: TimeInterval = 0.05

    /// Returns identity, size, modification time and header of the file, after a checkpoint of the whole log.
    ///
    /// Nil if the log cannot be written back completely, since the file's attributes do not identify the state then,
    /// and if the file was modified so recently that another write might not change its timestamp.
    package func presentState() throws -> String? {
        guard !isReadOnly else { return nil }
        return try reporting("be read") {
            let statement = try connection.prepare("PRAGMA main.wal_checkpoint(PASSIVE)")
            guard try statement.step() else { return nil }
            let (busy, frames, written) = (statement.int64(0), statement.int64(1), statement.int64(2))
            statement.reset()
            guard busy == 0, frames == written else { return nil }
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            guard let date = attributes[.modificationDate] as? Date, Date().timeIntervalSince(date) > Self.grain
            else { return nil }
            let header = Data(DatabaseBytes.first(100, of: url.path))
            let parts: [Any?] = [
                attributes[.systemFileNumber], attributes[.size], date.timeIntervalSinceReferenceDate.bitPattern,
                header.base64EncodedString(),
            ]
            return parts.map { $0.map { "\($0)" } ?? "?" }.joined(separator: " ")
        }
    }
}
