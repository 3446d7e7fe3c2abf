import CoreDataStore

/// Asks for the objects of one entity that meet a condition, in an order.
open class NSFetchRequest<ResultType: NSFetchRequestResult>: UntypedFetchRequest {
    /// Makes an empty one.
    override public init() { super.init() }

    /// Makes a request for the objects of an entity.
    public convenience init(entityName: String) {
        self.init()
        named = entityName
    }

    /// A copy with the same settings; an immutable object is its own copy.
    override open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchRequest<ResultType>()
        copyValues(to: copy)
        return copy
    }
}
