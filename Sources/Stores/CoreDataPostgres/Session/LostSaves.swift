import CoreDataSQL

extension NSNotification.Name {
    /// Posted when a store on PostgreSQL finds that saves which the server had acknowledged are not there any more.
    ///
    /// A replica that had not received them has taken the server's place. The object is the store, the `userInfo` has the saves
    /// under `CoreDataPostgreSQLLostSavesKey`. Posted on a queue of the library's. The next save throws the same once.
    public static let CoreDataPostgreSQLStoreDidLoseSaves = NSNotification.Name("CoreDataPostgreSQLStoreDidLoseSaves")
}

/// Where a notification and an error have the saves that were lost: an array of `PostgreSQLLostSave`, oldest first.
public let CoreDataPostgreSQLLostSavesKey = "CoreDataPostgreSQLLostSaves"

/// A save that a server acknowledged, and that the server which took its place does not have.
public struct PostgreSQLLostSave: Sendable, Hashable {
    /// The number of the save among those of its store, which counts up by one or more from save to save.
    public let number: Int64
    /// When the server acknowledged the save, by the clock of the program.
    public let time: Date
    /// The number of the transaction in the history; nil if no history is recorded.
    public internal(set) var transactionNumber: Int64?
    /// The author that the context gave; nil for none.
    public internal(set) var author: String?
    /// The name of the context; nil for none.
    public internal(set) var contextName: String?
}

/// What a failover lost.
struct LostSaves {
    let saves: [PostgreSQLLostSave]

    /// The error for who saves next.
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
