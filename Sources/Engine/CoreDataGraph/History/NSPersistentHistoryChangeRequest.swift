import CoreDataStore

/// Fetches the persistent history of stores, or deletes the older part of it.
///
/// A context or coordinator executes it on the stores in `affectedStores`, or else on all stores that have a history,
/// which are those added with `NSPersistentHistoryTrackingKey`. Errors: `NSPersistentStoreUnsupportedRequestTypeError`
/// if no store has a history, or one of `affectedStores` has none; `NSPersistentHistoryTokenExpiredError` for a token
/// after which transactions have been deleted, or of a later state of the store; 134501 for a token that names none of
/// the stores; `NSCoreDataError` for a fetch request that does not fit the history's entities.
///
/// ```swift
/// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
/// let result = try context.execute(request) as? NSPersistentHistoryResult
/// let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
/// for transaction in transactions { print(transaction.timestamp, transaction.author ?? "") }
/// ```
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    /// Whether the request fetches or deletes.
    enum Purpose {
        case fetch
        case deletion
    }

    /// The place in the history after which a fetch begins, or before which a deletion ends.
    enum Boundary {
        case beginning
        case time(Date)
        case token(NSPersistentHistoryToken)
    }

    private(set) var purpose = Purpose.fetch
    private(set) var boundary = Boundary.beginning
    private var chosenType = NSPersistentHistoryResultType.transactionsAndChanges

    /// The type of the result; by default transactions with their changes, and always the status alone for a deletion.
    open var resultType: NSPersistentHistoryResultType {
        get { purpose == .fetch ? chosenType : .statusOnly }
        set { chosenType = newValue }
    }

    /// Selects transactions or changes within the request's bound; nil for all. See `fetchHistory(withFetch:)`.
    ///
    /// A deletion with a fetch request of transactions deletes only those before its bound that the fetch request
    /// finds.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

    /// The token, or the transaction's token, with which the request was made; nil for a request made without one.
    open var token: NSPersistentHistoryToken? {
        guard case .token(let token) = boundary else { return nil }
        return token
    }

    /// The type of the request.
    override open var requestType: NSPersistentStoreRequestType { .persistentHistoryRequestType }

    /// Makes a request for the entire history.
    override public required init() { super.init() }

    /// A request for the transactions that were committed after a time.
    open class func fetchHistory(after date: Date) -> Self { make(.fetch, .time(date)) }

    /// A request for the transactions that were committed after a token; for all if it is nil.
    ///
    /// For a store that was added after the token was created, it finds all transactions.
    open class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self { make(.fetch, boundary(token)) }

    /// A request for the transactions that were committed after one; for all if it is nil.
    open class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> Self {
        make(.fetch, boundary(transaction?.token))
    }

    /// A request for what a fetch request of entity `NSPersistentHistoryTransaction.entityDescription` or
    /// `NSPersistentHistoryChange.entityDescription` finds.
    ///
    /// Its predicate, sort descriptors, limit and offset apply. If it finds changes, transactions have only the changes
    /// found.
    open class func fetchHistory(withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>) -> Self {
        let request = make(.fetch, .beginning)
        request.fetchRequest = fetchRequest
        request.affectedStores = fetchRequest.affectedStores
        return request
    }

    /// A request that deletes the transactions that were committed before a time.
    open class func deleteHistory(before date: Date) -> Self { make(.deletion, .time(date)) }

    /// A request that deletes the transactions before that of a token, which is kept; none if it is nil.
    open class func deleteHistory(before token: NSPersistentHistoryToken?) -> Self { make(.deletion, boundary(token)) }

    /// A request that deletes the transactions before one, which is kept; none if it is nil.
    open class func deleteHistory(before transaction: NSPersistentHistoryTransaction?) -> Self {
        make(.deletion, boundary(transaction?.token))
    }

    /// A copy with the same settings.
    override open func copy(with zone: NSZone? = nil) -> Any {
        let copy = Self.make(purpose, boundary)
        copy.chosenType = chosenType
        copy.fetchRequest = fetchRequest?.copy() as? NSFetchRequest<any NSFetchRequestResult>
        copy.affectedStores = affectedStores
        return copy
    }

    private class func make(_ purpose: Purpose, _ boundary: Boundary) -> Self {
        let request = self.init()
        request.purpose = purpose
        request.boundary = boundary
        return request
    }

    private class func boundary(_ token: NSPersistentHistoryToken?) -> Boundary {
        token.map(Boundary.token) ?? .beginning
    }
}
