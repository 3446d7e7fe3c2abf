import CoreDataModeling

/// Asks for the objects of one entity that meet a condition, in an order.
open class NSFetchRequest<ResultType: NSFetchRequestResult>: UntypedFetchRequest {
    override public init() { super.init() }

    /// Makes a request for the objects of an entity.
    public convenience init(entityName: String) {
        self.init()
        named = entityName
    }

    override open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchRequest<ResultType>()
        copyValues(to: copy)
        return copy
    }
}
