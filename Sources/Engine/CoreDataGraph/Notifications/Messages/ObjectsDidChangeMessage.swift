import CoreDataStore

extension NSManagedObjectContext {
    /// Reports that objects of a context have changed.
    ///
    /// For main-queue contexts; observed with `NotificationCenter.addObserver(of:for:using:)`.
    public struct ObjectsDidChangeMessage: PostedMainActorMessage {
        /// What the message is about.
        public typealias Subject = NSManagedObjectContext

        /// The context.
        public let context: NSManagedObjectContext
        private let userInfo: [String: Set<NSManagedObject>]

        /// The inserted objects.
        public var inserted: Set<NSManagedObject> { userInfo[NSInsertedObjectsKey] ?? [] }
        /// The changed objects.
        public var updated: Set<NSManagedObject> { userInfo[NSUpdatedObjectsKey] ?? [] }
        /// The deleted objects.
        public var deleted: Set<NSManagedObject> { userInfo[NSDeletedObjectsKey] ?? [] }
        /// The objects that have the store's values again, or newer ones.
        public var refreshed: Set<NSManagedObject> { userInfo[NSRefreshedObjectsKey] ?? [] }
        /// The objects that cannot be used any more.
        public var invalidated: Set<NSManagedObject> { userInfo[NSInvalidatedObjectsKey] ?? [] }

        /// The name of the notification that the message stands for.
        public static var name: NSNotification.Name { .NSManagedObjectContextObjectsDidChange }

        /// The message of a notification; nil for one of a context on a private queue.
        public static func makeMessage(_ notification: Notification) -> Self? {
            guard let context = notification.object as? NSManagedObjectContext,
                context.concurrencyType == .mainQueueConcurrencyType
            else { return nil }
            let userInfo = notification.userInfo ?? [:]
            var sets: [String: Set<NSManagedObject>] = [:]
            for key in [
                NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey,
                NSInvalidatedObjectsKey,
            ] {
                sets[key] = userInfo[key] as? Set<NSManagedObject>
            }
            return Self(context: context, userInfo: sets)
        }

        /// The notification of a message.
        public static func makeNotification(_ message: Self) -> Notification {
            Notification(name: name, object: message.context, userInfo: message.userInfo)
        }
    }
}
