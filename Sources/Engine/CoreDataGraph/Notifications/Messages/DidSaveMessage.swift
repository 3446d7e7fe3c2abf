import CoreDataStore

extension NSManagedObjectContext {
    /// Reports that a context has saved.
    ///
    /// For main-queue contexts; observed with `NotificationCenter.addObserver(of:for:using:)`.
    public struct DidSaveMessage: PostedMainActorMessage {
        /// What the message is about.
        public typealias Subject = NSManagedObjectContext

        /// The context.
        public let context: NSManagedObjectContext
        private let userInfo: [String: Set<NSManagedObject>]
        /// The query generation that the save led to; nil where the context is not pinned.
        public let queryGeneration: NSQueryGenerationToken?
        /// The place in the stores' histories that the save led to; nil where none of them keeps one.
        public let historyToken: NSPersistentHistoryToken?

        /// The inserted objects.
        public var inserted: Set<NSManagedObject> { userInfo[NSInsertedObjectsKey] ?? [] }
        /// The changed objects.
        public var updated: Set<NSManagedObject> { userInfo[NSUpdatedObjectsKey] ?? [] }
        /// The deleted objects.
        public var deleted: Set<NSManagedObject> { userInfo[NSDeletedObjectsKey] ?? [] }

        /// The name of the notification that the message stands for.
        public static var name: NSNotification.Name { .NSManagedObjectContextDidSave }

        /// The message of a notification; nil for one of a context on a private queue.
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

        /// The notification of a message.
        public static func makeNotification(_ message: Self) -> Notification {
            var userInfo: [String: Any] = message.userInfo
            userInfo[NSManagedObjectContextQueryGenerationKey] = message.queryGeneration
            userInfo[NotificationKey.historyToken] = message.historyToken
            return Notification(name: name, object: message.context, userInfo: userInfo)
        }
    }
}
