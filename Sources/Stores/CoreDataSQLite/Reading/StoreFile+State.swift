import CoreDataSQL
import SQLiteKit

extension StoreFile: StoreStateReporting {
    package var stateReporting: (any StoreStateReporting)? { self }

    /// How fine the times are that file systems give, with a margin.
    private static let grain: TimeInterval = 0.05

    /// Identity, size, time and header of the file, once all that is committed has been put into it.
    ///
    /// The journal says more than the file until it has been written back; closing the store does that too, so only a state
    /// without a journal outlives the process. A file written to just now may change again within the same moment.
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
