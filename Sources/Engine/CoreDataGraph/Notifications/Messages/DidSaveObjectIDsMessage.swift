import CoreDataStore

extension NSManagedObjectContext {
    /// Reports that a context has saved, by identifiers.
    ///
    /// For contexts on the main queue; observed with `NotificationCenter.addObserver(of:for:using:)`.
    public struct DidSaveObjectIDsMessage: PostedMainActorMessage {
        /// What the message is about.
        public typealias Subject = NSManagedObjectContext
        private let sets: IdentifierSets

        /// The context.
        public var context: NSManagedObjectContext { sets.context }
        /// The identifiers of the inserted objects.
        public var insertedIDs: Set<NSManagedObjectID> { sets.inserted }
        /// The identifiers of the changed objects.
        public var updatedIDs: Set<NSManagedObjectID> { sets.updated }
        /// The identifiers of the deleted objects.
        public var deletedIDs: Set<NSManagedObjectID> { sets.deleted }
        /// The place in the stores' histories that the save led to; nil where none of them keeps one.
        public var historyToken: NSPersistentHistoryToken? { sets.historyToken }

        /// The name of the notification that the message stands for.
        public static var name: NSNotification.Name { .NSManagedObjectContextDidSaveObjectIDs }

        /// The message of a notification; nil for one of a context on another kind of queue.
        public static func makeMessage(_ notification: Notification) -> Self? {
            IdentifierSets(notification, of: .mainQueueConcurrencyType).map(Self.init)
        }

        /// The notification of a message.
        public static func makeNotification(_ message: Self) -> Notification { message.sets.notification(name) }
    }

    /// Reports that a context has saved, by identifiers.
    ///
    /// For contexts on private queues; observed with `NotificationCenter.addObserver(of:for:using:)`.
    public struct DidSaveObjectIDsAsyncMessage: PostedAsyncMessage {
        /// What the message is about.
        public typealias Subject = NSManagedObjectContext
        private let sets: IdentifierSets

        /// The context.
        public var context: NSManagedObjectContext { sets.context }
        /// The identifiers of the inserted objects.
        public var insertedIDs: Set<NSManagedObjectID> { sets.inserted }
        /// The identifiers of the changed objects.
        public var updatedIDs: Set<NSManagedObjectID> { sets.updated }
        /// The identifiers of the deleted objects.
        public var deletedIDs: Set<NSManagedObjectID> { sets.deleted }
        /// The place in the stores' histories that the save led to; nil where none of them keeps one.
        public var historyToken: NSPersistentHistoryToken? { sets.historyToken }

        /// The name of the notification that the message stands for.
        public static var name: NSNotification.Name { .NSManagedObjectContextDidSaveObjectIDs }

        /// The message of a notification; nil for one of a context on another kind of queue.
        public static func makeMessage(_ notification: Notification) -> Self? {
            IdentifierSets(notification, of: .privateQueueConcurrencyType).map(Self.init)
        }

        /// The notification of a message.
        public static func makeNotification(_ message: Self) -> Notification { message.sets.notification(name) }
    }
}
