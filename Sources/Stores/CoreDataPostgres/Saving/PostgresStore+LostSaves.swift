import CoreDataSQL
import PostgresKit

/// Finding out, on another connection, whether saves are gone that had been acknowledged.
extension PostgresStore {
    /// Asks the server after a new connection; the saves that it lacks are reported to observers, and to the next save.
    func findLostSaves() throws {
        guard !isReadOnly, !session.connection.takesNoWrites else { return }
        let lost = try acknowledged.takeLost(session.connection)
        guard !lost.isEmpty else { return }
        lostSaves = LostSaves(saves: (lostSaves?.saves ?? []) + lost)
        // The numbers of lost transactions are given out again.
        _ = try recordedHistory?.begin(session, isReadOnly: false)
        // The caller has locked the store, and observers may need it.
        nonisolated(unsafe) let store = shape.store
        DispatchQueue.global().async {
            NotificationCenter.default.post(
                name: .CoreDataPostgreSQLStoreDidLoseSaves, object: store,
                userInfo: [CoreDataPostgreSQLLostSavesKey: lost])
        }
    }

    /// Keeps a save from overwriting a loss that was not reported to it.
    ///
    /// - Throws: `NSPersistentStoreSaveError` once, with the saves that were lost.
    func requireNothingLost() throws {
        guard let lost = lostSaves else { return }
        lostSaves = nil
        throw lost.error(shape.location)
    }
}
