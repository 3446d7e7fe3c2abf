import CoreData

/// The command line of the order book.
@main
struct Program {
    private static let usage = """
        usage: orders STORE cost PRODUCT COST            sets what a product costs from now on
               orders STORE order CUSTOMER PRODUCT[:N]…  orders one or N pieces of each product
               orders STORE list                         lists the orders with their totals
        """

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            // An error of the library says in a sentence what the model asks for.
            let text = (error as? Complaint)?.description ?? error.localizedDescription
            FileHandle.standardError.write(Data("orders: \(text)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        guard arguments.count >= 2 else { throw Complaint(usage) }
        let book = try OrderBook(at: URL(fileURLWithPath: arguments[0]))
        switch (arguments[1], arguments.count) {
        case ("cost", 4):
            guard let cost = Decimal(string: arguments[3], locale: Locale(identifier: "en_US_POSIX")), cost >= 0 else {
                throw Complaint("'\(arguments[3])' is not a cost: give a number such as 2.50")
            }
            try book.setCost(cost, of: arguments[2])
        case ("order", 3...):
            try book.order(for: arguments[2], on: Date(), arguments.dropFirst(3).map { try item($0, book) })
        case ("list", 2): break
        default: throw Complaint(usage)
        }
        for order in try book.orders() {
            print("\(order.customerName ?? "") \(order.orderTotal)")
            for item in order.orderItems.sorted(by: { ($0.product?.name ?? "") < ($1.product?.name ?? "") }) {
                print("    \(item.quantity) × \(item.product?.name ?? "") at \(item.purchasePrice)")
            }
        }
    }

    private static func item(_ text: String, _ book: OrderBook) throws -> (product: Product, quantity: Int16) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard let name = parts.first, let product = try book.product(name) else {
            throw Complaint("there is no product '\(text)'; 'orders STORE cost PRODUCT COST' makes one")
        }
        guard let quantity = parts.count == 1 ? 1 : Int16(parts[1]), quantity > 0 else {
            throw Complaint("'\(text)' has no number of pieces after the colon")
        }
        return (product, quantity)
    }

    private struct Complaint: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}
