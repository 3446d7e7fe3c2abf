import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// Posted after stores were added to the coordinator, removed from it or replaced in it.
    ///
    /// Observed with `NotificationCenter.addObserver(of:for:using:)`. Reports only changes on the main queue.
    public struct StoresDidChangeMessage: PostedMainActorMessage {
        /// The class of the object that posts the message.
        public typealias Subject = NSPersistentStoreCoordinator

        /// The coordinator.
        public let persistentStoreCoordinator: NSPersistentStoreCoordinator
        /// The stores that were added.
        public let addedStores: [NSPersistentStore]
        /// The stores that were removed.
        public let removedStores: [NSPersistentStore]
        /// If a store was replaced by a copy, the former store and the copy, in this order.
        public let uuidChangedStores: [NSPersistentStore]

        /// The name of the notification that the message stands for.
        public static var name: NSNotification.Name { .NSPersistentStoreCoordinatorStoresDidChange }

        /// Makes the message for a notification; nil if a coordinator did not post it.
        public static func makeMessage(_ notification: Notification) -> Self? {
            guard let coordinator = notification.object as? NSPersistentStoreCoordinator else { return nil }
            let userInfo = notification.userInfo ?? [:]
            return Self(
                persistentStoreCoordinator: coordinator,
                addedStores: userInfo[NSAddedPersistentStoresKey] as? [NSPersistentStore] ?? [],
                removedStores: userInfo[NSRemovedPersistentStoresKey] as? [NSPersistentStore] ?? [],
                uuidChangedStores: userInfo[NSUUIDChangedPersistentStoresKey] as? [NSPersistentStore] ?? [])
        }

        /// Makes the notification for a message.
        public static func makeNotification(_ message: Self) -> Notification {
            let lists = [
                NSAddedPersistentStoresKey: message.addedStores, NSRemovedPersistentStoresKey: message.removedStores,
                NSUUIDChangedPersistentStoresKey: message.uuidChangedStores,
            ]
            return Notification(
                name: name, object: message.persistentStoreCoordinator, userInfo: lists.filter { !$0.value.isEmpty })
        }
    }

    /// Posted after stores were added to the coordinator, removed from it or replaced in it.
    ///
    /// Observed with `NotificationCenter.addObserver(of:for:using:)`.
    public struct StoresDidChangeAsyncMessage: PostedAsyncMessage {
        /// The class of the object that posts the message.
        public typealias Subject = NSPersistentStoreCoordinator

        /// The coordinator.
        public let persistentStoreCoordinator: NSPersistentStoreCoordinator
        /// The stores that were added.
        public let addedStores: [NSPersistentStore]
        /// The stores that were removed.
        public let removedStores: [NSPersistentStore]
        /// If a store was replaced by a copy, the former store and the copy, in this order.
        public let uuidChangedStores: [NSPersistentStore]

        /// The name of the notification that the message stands for.
        public static var name: NSNotification.Name { .NSPersistentStoreCoordinatorStoresDidChange }

        /// Makes the message for a notification; nil if a coordinator did not post it.
        public static func makeMessage(_ notification: Notification) -> Self? {
            guard let coordinator = notification.object as? NSPersistentStoreCoordinator else { return nil }
            let userInfo = notification.userInfo ?? [:]
            return Self(
                persistentStoreCoordinator: coordinator,
                addedStores: userInfo[NSAddedPersistentStoresKey] as? [NSPersistentStore] ?? [],
                removedStores: userInfo[NSRemovedPersistentStoresKey] as? [NSPersistentStore] ?? [],
                uuidChangedStores: userInfo[NSUUIDChangedPersistentStoresKey] as? [NSPersistentStore] ?? [])
        }

        /// Makes the notification for a message.
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
