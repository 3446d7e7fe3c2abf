import CoreDataGraph
import Foundation

extension ModelContext {
    /// Posted by a context before it saves changes, where it saves them.
    public static let willSave = Notification.Name("ModelContextWillSaveNotification")
    /// Posted by a context after it has saved changes, where it saved them. The user info has the identifiers of the
    /// models under the raw values of `NotificationKey`.
    public static let didSave = Notification.Name("ModelContextDidSaveNotification")

    /// The keys in the user info of `didSave`.
    public enum NotificationKey: String, Sendable {
        /// The inserted models: `[PersistentIdentifier]`.
        case insertedIdentifiers = "inserted"
        /// The changed models: `[PersistentIdentifier]`.
        case updatedIdentifiers = "updated"
        /// The deleted models: `[PersistentIdentifier]`.
        case deletedIdentifiers = "deleted"
        /// Not posted here.
        case invalidatedAllIdentifiers = "invalidatedAll"
        /// Not posted here.
        case queryGeneration
        /// The position of the history after the save, for each store that keeps one: `[String: any HistoryToken]` by
        /// the identifiers of the stores.
        case historyTokens
    }

    func announceSave(
        inserted: [PersistentIdentifier], updated: [PersistentIdentifier], deleted: [PersistentIdentifier]
    ) {
        var userInfo: [AnyHashable: Any] = [
            NotificationKey.insertedIdentifiers.rawValue: inserted,
            NotificationKey.updatedIdentifiers.rawValue: updated,
            NotificationKey.deletedIdentifiers.rawValue: deleted,
        ]
        userInfo[NotificationKey.historyTokens.rawValue] = container.historyTokens()
        NotificationCenter.default.post(name: Self.didSave, object: self, userInfo: userInfo)
    }
}

extension ModelContainer {
    /// The present position of the history of each store that keeps one.
    func historyTokens() -> [String: any HistoryToken] {
        guard configurations.contains(where: { !$0.isStoredInMemoryOnly }),
            let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
        else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: token.numbers.map { store, number in
                (store, DefaultHistoryToken(NSPersistentHistoryToken([store: number])))
            })
    }
}
