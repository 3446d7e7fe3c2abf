import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// Reports that stores were added, removed or exchanged.
    ///
    /// Observed with `NotificationCenter.addObserver(of:for:using:)`; of changes made on the main queue only.
    public struct StoresDidChangeMessage: PostedMainActorMessage {
        /// What the message is about.
        public typealias Subject = NSPersistentStoreCoordinator

        /// The coordinator.
        public let persistentStoreCoordinator: NSPersistentStoreCoordinator
        /// The stores that were added.
        public let addedStores: [NSPersistentStore]
        /// The stores that were removed.
        public let removedStores: [NSPersistentStore]
        /// A store whose identity changed, before it and after.
        public let uuidChangedStores: [NSPersistentStore]

        /// The name of the notification that the message stands for.
        public static var name: NSNotification.Name { .NSPersistentStoreCoordinatorStoresDidChange }

        /// The message of a notification; nil for one of something else than a coordinator.
        public static func makeMessage(_ notification: Notification) -> Self? {
            guard let coordinator = notification.object as? NSPersistentStoreCoordinator else { return nil }
            let userInfo = notification.userInfo ?? [:]
            return Self(
                persistentStoreCoordinator: coordinator,
                addedStores: userInfo[NSAddedPersistentStoresKey] as? [NSPersistentStore] ?? [],
                removedStores: userInfo[NSRemovedPersistentStoresKey] as? [NSPersistentStore] ?? [],
                uuidChangedStores: userInfo[NSUUIDChangedPersistentStoresKey] as? [NSPersistentStore] ?? [])
        }

        /// The notification of a message.
        public static func makeNotification(_ message: Self) -> Notification {
            let lists = [
                NSAddedPersistentStoresKey: message.addedStores, NSRemovedPersistentStoresKey: message.removedStores,
                NSUUIDChangedPersistentStoresKey: message.uuidChangedStores,
            ]
            return Notification(
                name: name, object: message.persistentStoreCoordinator, userInfo: lists.filter { !$0.value.isEmpty })
        }
    }

    /// Reports that stores were added, removed or exchanged.
    ///
    /// Observed with `NotificationCenter.addObserver(of:for:using:)`.
    public struct StoresDidChangeAsyncMessage: PostedAsyncMessage {
        /// What the message is about.
        public typealias Subject = NSPersistentStoreCoordinator

        /// The coordinator.
        public let persistentStoreCoordinator: NSPersistentStoreCoordinator
        /// The stores that were added.
        public let addedStores: [NSPersistentStore]
        /// The stores that were removed.
        public let removedStores: [NSPersistentStore]
        /// A store whose identity changed, before it and after.
        public let uuidChangedStores: [NSPersistentStore]

        /// The name of the notification that the message stands for.
        public static var name: NSNotification.Name { .NSPersistentStoreCoordinatorStoresDidChange }

        /// The message of a notification; nil for one of something else than a coordinator.
        public static func makeMessage(_ notification: Notification) -> Self? {
            guard let coordinator = notification.object as? NSPersistentStoreCoordinator else { return nil }
            let userInfo = notification.userInfo ?? [:]
            return Self(
                persistentStoreCoordinator: coordinator,
                addedStores: userInfo[NSAddedPersistentStoresKey] as? [NSPersistentStore] ?? [],
                removedStores: userInfo[NSRemovedPersistentStoresKey] as? [NSPersistentStore] ?? [],
                uuidChangedStores: userInfo[NSUUIDChangedPersistentStoresKey] as? [NSPersistentStore] ?? [])
        }

        /// The notification of a message.
        public static func makeNotification(_ message: Self) -> Notification {
            let lists = [
                NSAddedPersistentStoresKey: message.addedStores, NSRemovedPersistentStoresKey: message.removedStores,
                NSUUIDChangedPersistentStoresKey: message.uuidChangedStores,
            ]
            return Notification(
                name: name, object: message.persistentStoreCoordinator, userInfo: lists.filter { !$0.value.isEmpty })
        }
    }
}
