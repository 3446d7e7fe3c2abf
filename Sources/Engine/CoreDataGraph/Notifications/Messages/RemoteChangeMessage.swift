import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// Posted after a commit to one of the coordinator's stores, by the coordinator itself or another writer, if the
    /// store has `NSPersistentStoreRemoteChangeNotificationPostOptionKey`.
    ///
    /// Observed with `NotificationCenter.addObserver(of:for:using:)`.
    public struct RemoteChangeMessage: PostedAsyncMessage {
        /// The class of the object that posts the message.
        public typealias Subject = NSPersistentStoreCoordinator

        /// The coordinator.
        public let persistentStoreCoordinator: NSPersistentStoreCoordinator
        /// The URL of the store.
        public let storeURL: URL?
        /// The UUID of the store.
        public let storeUUID: String?
        /// The store's history token after the change; nil if the store does not keep history.
        public let historyToken: NSPersistentHistoryToken?

        /// The name of the notification that the message stands for.
        public static var name: NSNotification.Name { .NSPersistentStoreRemoteChange }

        /// Makes the message for a notification; nil if a coordinator did not post it.
        public static func makeMessage(_ notification: Notification) -> Self? {
            guard let coordinator = notification.object as? NSPersistentStoreCoordinator else { return nil }
            return Self(
                persistentStoreCoordinator: coordinator,
                storeURL: notification.userInfo?[NSPersistentStoreURLKey] as? URL,
                storeUUID: notification.userInfo?[NSStoreUUIDKey] as? String,
                historyToken: notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
        }

        /// Makes the notification for a message.
        public static func makeNotification(_ message: Self) -> Notification {
            var userInfo: [String: Any] = [:]
            userInfo[NSPersistentStoreURLKey] = message.storeURL
            userInfo[NSStoreUUIDKey] = message.storeUUID
            userInfo[NSPersistentHistoryTokenKey] = message.historyToken
            return Notification(name: name, object: message.persistentStoreCoordinator, userInfo: userInfo)
        }
    }
}
