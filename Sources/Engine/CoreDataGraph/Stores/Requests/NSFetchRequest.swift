import CoreDataStore

/// A request for the objects of one entity that meet a condition, in an order.
///
/// ```swift
/// let request = NSFetchRequest<Order>(entityName: "Order")
/// request.predicate = NSPredicate(format: "customer.name BEGINSWITH %@ AND number > %d", "A", 1_000)
/// request.sortDescriptors = [NSSortDescriptor(key: "placed", ascending: false)]
/// request.fetchLimit = 20
/// for order in try context.fetch(request) { print(order.number) }
/// ```
open class NSFetchRequest<ResultType: NSFetchRequestResult>: UntypedFetchRequest {
    /// Makes an empty one.
    override public init() { super.init() }

    /// Makes a request for the objects of an entity.
    public convenience init(entityName: String) {
        self.init()
        named = entityName
    }

    /// What the request asks for, in the context in whose `perform` or `performAndWait` block the caller is.
    ///
    /// - Throws: `NSCoreDataError` outside of such a block, and what `fetch(_:)` of the context throws.
    open func execute() throws -> [ResultType] { try operations.executeInCurrentContext() }

    /// A copy with the same settings; an immutable object is its own copy.
    override open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchRequest<ResultType>()
        copyValues(to: copy)
        return copy
    }
}

/// The implementations of a request's open methods, in higher layers.
protocol FetchOperations<ResultType> {
    associatedtype ResultType
    /// What the request asks for, in the context of the running block.
    func executeInCurrentContext() throws -> [ResultType]
}

extension NSFetchRequest {
    /// The work of the open methods.
    fileprivate var operations: any FetchOperations<ResultType> { self }
}
