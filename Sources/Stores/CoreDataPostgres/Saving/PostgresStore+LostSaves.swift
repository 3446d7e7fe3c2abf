import CoreDataSQL
import PostgresKit

/// Detects, on a new connection, whether acknowledged saves have been lost.
extension PostgresStore {
    /// Queries the server after reconnecting; saves that it lacks are reported to observers, and to the next save.
    func findLostSaves() throws {
        guard !isReadOnly, !session.connection.takesNoWrites else { return }
        let lost = try acknowledged.takeLost(session.connection)
        guard !lost.isEmpty else { return }
        lostSaves = LostSaves(saves: (lostSaves?.saves ?? []) + lost)
        // The numbers of lost transactions will be used again, so the history must be checked.
        _ = try recordedHistory?.begin(session, isReadOnly: false)
        // Posted asynchronously: the caller has exclusive use of the store, and observers may need the store.
        nonisolated(unsafe) let store = shape.store
        DispatchQueue.global().async {
            NotificationCenter.default.post(
                name: .CoreDataPostgreSQLStoreDidLoseSaves, object: store,
                userInfo: [CoreDataPostgreSQLLostSavesKey: lost])
        }
    }

    /// Prevents a save from overwriting data after a loss that has not been reported.
    ///
    /// - Throws: `NSPersistentStoreSaveError` with the lost saves; only once.
    func requireNothingLost() throws {
        guard let lost = lostSaves else { return }
        lostSaves = nil
        throw lost.error(shape.location)
    }
}
