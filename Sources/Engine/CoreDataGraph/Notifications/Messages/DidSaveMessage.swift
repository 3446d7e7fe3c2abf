import CoreDataStore

extension NSManagedObjectContext {
    /// Posted after a context saved; contains the objects.
    ///
    /// For main-queue contexts; observed with `NotificationCenter.addObserver(of:for:using:)`.
    public struct DidSaveMessage: PostedMainActorMessage {
        /// The class of the object that posts the message.
        public typealias Subject = NSManagedObjectContext

        /// The context.
        public let context: NSManagedObjectContext
        private let userInfo: [String: Set<NSManagedObject>]
        /// The query generation after the save; nil if the context is not pinned.
        public let queryGeneration: NSQueryGenerationToken?
        /// The history token after the save; nil if none of the stores keeps history.
        public let historyToken: NSPersistentHistoryToken?

        /// The inserted objects.
        public var inserted: Set<NSManagedObject> { userInfo[NSInsertedObjectsKey] ?? [] }
        /// The changed objects.
        public var updated: Set<NSManagedObject> { userInfo[NSUpdatedObjectsKey] ?? [] }
        /// The deleted objects.
        public var deleted: Set<NSManagedObject> { userInfo[NSDeletedObjectsKey] ?? [] }

        /// The name of the notification that the message stands for.
        public static var name: NSNotification.Name { .NSManagedObjectContextDidSave }

        /// Makes the message for a notification; nil if its context is on a private queue.
        public static func makeMessage(_ notification: Notification) -> Self? {
            guard let context = notification.object as? NSManagedObjectContext,
                context.concurrencyType == .mainQueueConcurrencyType
            else { return nil }
            let userInfo = notification.userInfo ?? [:]
            var sets: [String: Set<NSManagedObject>] = [:]
            for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] {
                sets[key] = userInfo[key] as? Set<NSManagedObject>
            }
            let generation = userInfo[NSManagedObjectContextQueryGenerationKey] as? NSQueryGenerationToken
            let token = userInfo[NotificationKey.historyToken] as? NSPersistentHistoryToken
            return Self(context: context, userInfo: sets, queryGeneration: generation, historyToken: token)
        }

        /// Makes the notification for a message.
        public static func makeNotification(_ message: Self) -> Notification {
            var userInfo: [String: Any] = message.userInfo
            userInfo[NSManagedObjectContextQueryGenerationKey] = message.queryGeneration
            userInfo[NotificationKey.historyToken] = message.historyToken
            return Notification(name: name, object: message.context, userInfo: userInfo)
        }
    }
}
