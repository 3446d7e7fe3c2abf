import CoreDataSQL

extension NSNotification.Name {
    /// Posted when a PostgreSQL store finds that saves which the server had acknowledged no longer exist.
    ///
    /// This happens when a replica that had not received the saves replaces the server. The object is the store; the
    /// `userInfo` has the saves under `CoreDataPostgreSQLLostSavesKey`. Posted on a background queue. The next save
    /// also throws an error, once.
    public static let CoreDataPostgreSQLStoreDidLoseSaves = NSNotification.Name("CoreDataPostgreSQLStoreDidLoseSaves")
}

/// The key of the lost saves in a notification's or an error's `userInfo`: an array of `PostgreSQLLostSave`, oldest
/// first.
public let CoreDataPostgreSQLLostSavesKey = "CoreDataPostgreSQLLostSaves"

/// A save that a server acknowledged, and that the server which replaced it lacks.
public struct PostgreSQLLostSave: Sendable, Hashable {
    /// The number of the save among the saves of its store; numbers increase from save to save, by one or more.
    public let number: Int64
    /// When the server acknowledged the save, by the program's clock.
    public let time: Date
    /// The number of the transaction in the history; nil if no history is recorded.
    public internal(set) var transactionNumber: Int64?
    /// The transaction author of the context that saved; nil if it had none.
    public internal(set) var author: String?
    /// The name of the context that saved; nil if it had none.
    public internal(set) var contextName: String?
}

/// The saves that a failover has lost.
struct LostSaves {
    let saves: [PostgreSQLLostSave]

    /// Makes the error that the next save throws.
    func error(_ location: PostgresLocation) -> NSError {
        let times = saves.map { "\($0.time.formatted(.iso8601))" }
        let span = times.first.map { first in times.count == 1 ? "at \(first)" : "from \(first) to \(times.last ?? "")"
        }
        return CoreDataError.make(
            NSPersistentStoreSaveError,
            "The store '\(location.publicURL.absoluteString)' is not saved: \(saves.count) "
                + "\(saves.count == 1 ? "save" : "saves") before, acknowledged \(span ?? ""), went with a server in whose place "
                + "another has come.",
            reason: "Saves were lost with a server whose replicas had not received them.",
            hint:
                "Reset the contexts, make the changes again where they are still wanted, and save; this is thrown once. "
                + "Have the cluster replicate synchronously, so that nothing is lost.",
            userInfo: [CoreDataPostgreSQLLostSavesKey: saves])
    }
}
