import CoreDataStore

/// Asks for the persistent history of stores, or deletes the older part of it.
///
/// Executed by a context or coordinator. Stores keep a history that are added with `NSPersistentHistoryTrackingKey`; of all stores, or
/// those in `affectedStores`, these answer. Errors: `NSPersistentStoreUnsupportedRequestTypeError` where none keeps a history or one that
/// `affectedStores` names does not, `NSPersistentHistoryTokenExpiredError` for a token whose following transactions are not kept any
/// more, or that is of a later state of the store, 134501 for a token that knows none of the stores, `NSCoreDataError` for a fetch
/// request that does not fit.
///
/// ```swift
/// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
/// let result = try context.execute(request) as? NSPersistentHistoryResult
/// let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
/// for transaction in transactions { print(transaction.timestamp, transaction.author ?? "") }
/// ```
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    /// What the request is about.
    enum Purpose {
        case fetch
        case deletion
    }

    /// The place in the history that a request begins or ends at.
    enum Boundary {
        case beginning
        case time(Date)
        case token(NSPersistentHistoryToken)
    }

    private(set) var purpose = Purpose.fetch
    private(set) var boundary = Boundary.beginning
    private var chosenType = NSPersistentHistoryResultType.transactionsAndChanges

    /// What the result is; transactions with their changes at first, and always the status alone of a deletion.
    open var resultType: NSPersistentHistoryResultType {
        get { purpose == .fetch ? chosenType : .statusOnly }
        set { chosenType = newValue }
    }

    /// Which transactions or changes are wanted beside the request's own bound; nil for all. See `fetchHistory(withFetch:)`.
    ///
    /// A deletion with a request of transactions removes those before its bound that the request finds, and leaves the others.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

    /// The token, or that of the transaction, that the request was made with; nil for any other.
    open var token: NSPersistentHistoryToken? {
        guard case .token(let token) = boundary else { return nil }
        return token
    }

    /// What kind of request it is.
    override open var requestType: NSPersistentStoreRequestType { .persistentHistoryRequestType }

    /// Makes a request for the entire history.
    override public required init() { super.init() }

    /// A request for what was committed after a time.
    open class func fetchHistory(after date: Date) -> Self { make(.fetch, .time(date)) }

    /// A request for what was committed after a token was current; for all if it is nil.
    ///
    /// Of a store that was added later than the token was made, all is given.
    open class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self { make(.fetch, boundary(token)) }

    /// A request for what was committed after a transaction; for all if it is nil.
    open class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> Self {
        make(.fetch, boundary(transaction?.token))
    }

    /// A request for what a fetch request of entity `NSPersistentHistoryTransaction.entityDescription` or
    /// `NSPersistentHistoryChange.entityDescription` finds.
    ///
    /// Its predicate, sort descriptors, limit and offset count; with changes, transactions have those that are found.
    open class func fetchHistory(withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>) -> Self {
        let request = make(.fetch, .beginning)
        request.fetchRequest = fetchRequest
        request.affectedStores = fetchRequest.affectedStores
        return request
    }

    /// A request that deletes the transactions that all lie before a time.
    open class func deleteHistory(before date: Date) -> Self { make(.deletion, .time(date)) }

    /// A request that deletes the transactions before that of a token, which stays; none if it is nil.
    open class func deleteHistory(before token: NSPersistentHistoryToken?) -> Self { make(.deletion, boundary(token)) }

    /// A request that deletes the transactions before one, which stays; none if it is nil.
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
