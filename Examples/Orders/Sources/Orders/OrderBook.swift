import CoreData

/// The orders of a store, with the products that can be ordered.
final class OrderBook {
    let container: NSPersistentContainer
    var context: NSManagedObjectContext { container.viewContext }

    /// Opens a store.
    ///
    /// - Throws: what loading the store throws.
    init(at url: URL) throws {
        container = NSPersistentContainer(name: "Orders")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// The product of a name; nil if there is none.
    ///
    /// - Throws: what `fetch(_:)` throws.
    func product(_ name: String) throws -> Product? {
        let request: NSFetchRequest<Product> = Product.fetchRequest()
        request.predicate = NSPredicate(format: "name == %@", name)
        request.fetchLimit = 1
        return try context.fetch(request).first
    }

    /// Sets what a product costs from now on, and makes it if it is not there.
    ///
    /// - Throws: what fetching and saving throw.
    @discardableResult
    func setCost(_ cost: Decimal, of name: String) throws -> Product {
        let product = try product(name) ?? Product(context: context)
        product.name = name
        product.itemCost = NSDecimalNumber(decimal: cost)
        try context.save()
        return product
    }

    /// Makes an order with the numbers of pieces of products.
    ///
    /// - Throws: what `save()` throws, such as for an order without items; nothing is made then.
    @discardableResult
    func order(for customerName: String, on date: Date, _ items: [(product: Product, quantity: Int16)]) throws
        -> CustomerOrder
    {
        let order = CustomerOrder(context: context)
        (order.customerName, order.orderDate) = (customerName, date)
        for (product, quantity) in items {
            let item = OrderItem(context: context)
            item.product = product
            item.quantity = quantity
            item.customerOrder = order
        }
        do {
            try context.save()
        } catch {
            context.rollback()
            throw error
        }
        return order
    }

    /// All orders, the oldest first.
    ///
    /// - Throws: what `fetch(_:)` throws.
    func orders() throws -> [CustomerOrder] {
        let request = NSFetchRequest<CustomerOrder>(entityName: "CustomerOrder")
        request.sortDescriptors = [
            NSSortDescriptor(key: "orderDate", ascending: true), NSSortDescriptor(key: "customerName", ascending: true),
        ]
        return try context.fetch(request)
    }
}
