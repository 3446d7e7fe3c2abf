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
    /// Makes a request without an entity.
    override public init() { super.init() }

    /// Makes a request for the objects of an entity.
    public convenience init(entityName: String) {
        self.init()
        named = entityName
    }

    /// Executes the request in the context in whose `perform` or `performAndWait` block the caller runs.
    ///
    /// - Throws: `NSCoreDataError` outside such a block, and what `fetch(_:)` of the context throws.
    open func execute() throws -> [ResultType] { try operations.executeInCurrentContext() }

    /// Returns a copy with the same settings.
    override open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchRequest<ResultType>()
        copyValues(to: copy)
        return copy
    }
}

/// The implementations of a request's open methods, in higher layers.
protocol FetchOperations<ResultType> {
    associatedtype ResultType
    /// Executes the request in the context of the running block.
    func executeInCurrentContext() throws -> [ResultType]
}

extension NSFetchRequest {
    /// The implementations of the open methods.
    fileprivate var operations: any FetchOperations<ResultType> { self }
}
