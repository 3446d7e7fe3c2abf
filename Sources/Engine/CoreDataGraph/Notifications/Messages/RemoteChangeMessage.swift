import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// Reports that a writer outside the coordinator has written to one of its stores.
    ///
    /// Observed with `NotificationCenter.addObserver(of:for:using:)`.
    public struct RemoteChangeMessage: PostedAsyncMessage {
        /// What the message is about.
        public typealias Subject = NSPersistentStoreCoordinator

        /// The coordinator.
        public let persistentStoreCoordinator: NSPersistentStoreCoordinator
        /// Where the store is.
        public let storeURL: URL?
        /// The store's own identity.
        public let storeUUID: String?
        /// The place in the store's history after the change; nil where it keeps none.
        public let historyToken: NSPersistentHistoryToken?

        /// The name of the notification that the message stands for.
        public static var name: NSNotification.Name { .NSPersistentStoreRemoteChange }

        /// The message of a notification; nil for one of something else than a coordinator.
        public static func makeMessage(_ notification: Notification) -> Self? {
            guard let coordinator = notification.object as? NSPersistentStoreCoordinator else { return nil }
            return Self(
                persistentStoreCoordinator: coordinator,
                storeURL: notification.userInfo?[NSPersistentStoreURLKey] as? URL,
                storeUUID: notification.userInfo?[NSStoreUUIDKey] as? String,
                historyToken: notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
        }

        /// The notification of a message.
        public static func makeNotification(_ message: Self) -> Notification {
            var userInfo: [String: Any] = [:]
            userInfo[NSPersistentStoreURLKey] = message.storeURL
            userInfo[NSStoreUUIDKey] = message.storeUUID
            userInfo[NSPersistentHistoryTokenKey] = message.historyToken
            return Notification(name: name, object: message.persistentStoreCoordinator, userInfo: userInfo)
        }
    }
}
