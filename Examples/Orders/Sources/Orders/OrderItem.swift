import CoreData

/// A number of pieces of one product, at the price of the day on which they were ordered.
#if canImport(ObjectiveC)
    @objc(OrderItem)
#endif
public class OrderItem: NSManagedObject {
    @NSManaged public var purchasePrice: NSDecimalNumber
    @NSManaged public var quantity: Int16
    @NSManaged public var customerOrder: CustomerOrder?

    /// The product; a new item takes its price over, and keeps it when the product's changes.
    #if canImport(ObjectiveC)
        @objc
    #endif
    public var product: Product? {
        get {
            willAccessValue(forKey: "product")
            defer { didAccessValue(forKey: "product") }
            return primitiveValue(forKey: "product") as? Product
        }
        set {
            willChangeValue(forKey: "product")
            setPrimitiveValue(newValue, forKey: "product")
            didChangeValue(forKey: "product")
            if isInserted, let cost = newValue?.itemCost { purchasePrice = cost }
        }
    }

    /// What the pieces cost together.
    public var cost: NSDecimalNumber { purchasePrice.multiplying(by: NSDecimalNumber(value: quantity)) }
}
