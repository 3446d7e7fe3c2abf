import CoreData

/// What a customer orders: at least one item.
#if canImport(ObjectiveC)
    @objc(CustomerOrder)
#endif
public class CustomerOrder: NSManagedObject {
    @NSManaged public var customerName: String?
    @NSManaged public var orderDate: Date?
    @NSManaged public var shipped: Bool
    @NSManaged public var customer: Customer?
    @NSManaged public var orderItems: Set<OrderItem>

    /// What the items cost together; a transient attribute that is computed whenever it is read.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var orderTotal: NSDecimalNumber {
        orderItems.filter { !$0.isDeleted }.reduce(.zero) { $0.adding($1.cost) }
    }

    #if canImport(ObjectiveC)
        @objc
    #endif
    public class func keyPathsForValuesAffectingOrderTotal() -> Set<String> { ["orderItems"] }
}
