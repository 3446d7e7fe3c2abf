import CoreDataStore

extension NSManagedObjectContext {
    /// Posted after objects of a context changed.
    ///
    /// For main-queue contexts; observed with `NotificationCenter.addObserver(of:for:using:)`.
    public struct ObjectsDidChangeMessage: PostedMainActorMessage {
        /// The class of the object that posts the message.
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
        /// The objects that were refreshed: by the program, by a merge or by a merge policy.
        public var refreshed: Set<NSManagedObject> { userInfo[NSRefreshedObjectsKey] ?? [] }
        /// The objects under `NSInvalidatedObjectsKey`. Contexts do not post this key: a reset posts
        /// `NSInvalidatedAllObjectsKey`.
        public var invalidated: Set<NSManagedObject> { userInfo[NSInvalidatedObjectsKey] ?? [] }

        /// The name of the notification that the message stands for.
        public static var name: NSNotification.Name { .NSManagedObjectContextObjectsDidChange }

        /// Makes the message for a notification; nil if its context is on a private queue.
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

        /// Makes the notification for a message.
        public static func makeNotification(_ message: Self) -> Notification {
            Notification(name: name, object: message.context, userInfo: message.userInfo)
        }
    }
}
