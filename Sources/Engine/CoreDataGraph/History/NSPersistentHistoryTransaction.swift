import CoreDataStore

/// One transaction in a store's history: a save of a context, or a batch request. Immutable.
///
/// ```swift
/// for transaction in transactions where transaction.author != "shop" {
///     print(transaction.transactionNumber, transaction.changes?.count ?? 0)
///     context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
/// }
/// ```
open class NSPersistentHistoryTransaction: NSObject, NSCopying, @unchecked Sendable {
    /// The number of the transaction; later transactions of the store have greater numbers.
    open private(set) var transactionNumber: Int64
    /// When it was committed, by the clock of the committing process.
    open private(set) var timestamp: Date
    /// The identifier of the store.
    open private(set) var storeID: String
    /// The bundle identifier of the committing program; empty for a program without one.
    open private(set) var bundleID: String
    /// The name of the committing process; empty if the store does not record it.
    open private(set) var processID: String
    /// The name of the committing context.
    open private(set) var contextName: String?
    /// The `transactionAuthor` of the committing context.
    open private(set) var author: String?
    /// The requested changes, inserted objects first, then updated, then deleted ones; nil if changes were not
    /// requested.
    open private(set) var changes: [NSPersistentHistoryChange]?

    package init(_ transaction: HistoryTransaction, of storeID: String, changes: [NSPersistentHistoryChange]?) {
        transactionNumber = transaction.number
        timestamp = Date(timeIntervalSinceReferenceDate: transaction.time)
        self.storeID = storeID
        bundleID = transaction.bundleID ?? ""
        processID = transaction.processID ?? ""
        contextName = transaction.contextName
        author = transaction.author
        self.changes = changes
        super.init()
        for change in changes ?? [] { change.transaction = self }
    }

    /// The token of the store's history just after the transaction.
    open var token: NSPersistentHistoryToken { NSPersistentHistoryToken([storeID: transactionNumber]) }

    /// A notification for `mergeChanges(fromContextDidSave:)`, like that of the save that committed the transaction.
    ///
    /// It contains the identifiers of the objects of `changes`; if these were not requested, it is empty.
    open func objectIDNotification() -> Notification {
        var sets: [NSPersistentHistoryChangeType: Set<NSManagedObjectID>] = [:]
        for change in changes ?? [] { sets[change.changeType, default: []].insert(change.changedObjectID) }
        var userInfo: [AnyHashable: Any] = [:]
        userInfo[NSInsertedObjectIDsKey] = sets[.insert]
        userInfo[NSUpdatedObjectIDsKey] = sets[.update]
        userInfo[NSDeletedObjectIDsKey] = sets[.delete]
        return Notification(name: .NSManagedObjectContextDidSaveObjectIDs, object: nil, userInfo: userInfo)
    }

    /// The entity of fetch requests for transactions; predicates may use `author`, `bundleID`, `contextName`,
    /// `processID`, `timestamp`, `token` and `transactionNumber`.
    ///
    /// A token is compared with an `NSPersistentHistoryToken`.
    open class var entityDescription: NSEntityDescription? { HistoryEntities.shared.transaction }

    /// The entity of fetch requests for transactions, which is the same for every context.
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        entityDescription
    }

    /// A new fetch request for transactions.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = entityDescription
        return request
    }

    /// Returns the transaction itself, since it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// A text for messages and logs.
    override open var description: String {
        "<NSPersistentHistoryTransaction: \(transactionNumber) of \(storeID), \(changes?.count ?? 0) changes>"
    }
}
