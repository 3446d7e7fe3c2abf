import CoreData
import TestBasics
import Testing

@testable import CoreDataBrowser
@testable import OrdersSample

/// The example Orders: defaults, prices that stay, totals that follow, and orders that need an item.
@MainActor @Suite struct OrdersTests {
    private let folder: TemporaryFolder
    private let book: OrderBook

    init() throws {
        folder = try TemporaryFolder()
        book = try OrderBook(at: folder.url.appendingPathComponent("Orders.sqlite"))
    }

    private static let day = Date(timeIntervalSinceReferenceDate: 0)

    @Test("a new item has quantity 1 and purchase price 1.0 (SAMPLE-12)") func defaults() {
        let item = OrderItem(context: book.context)
        #expect(item.quantity == 1 && item.purchasePrice == NSDecimalNumber(string: "1.0"))
        #expect(item.product == nil && Product(context: book.context).itemCost == 1)
    }

    @Test("an item keeps the price of its product of the day on which it was ordered (SAMPLE-12)")
    func frozenPrice() throws {
        let lamp = try book.setCost(20, of: "Lamp")
        let order = try book.order(for: "Ann", on: Self.day, [(lamp, 2)])
        try book.setCost(35, of: "Lamp")
        let other = try book.order(for: "Ben", on: Self.day, [(lamp, 1)])
        #expect(lamp.itemCost == 35)
        #expect(order.orderItems.map(\.purchasePrice) == [20] && order.orderTotal == 40)
        #expect(other.orderItems.map(\.purchasePrice) == [35] && other.orderTotal == 35)

        // What was read again, or is edited later, keeps it too.
        let again = try OrderBook(at: folder.url.appendingPathComponent("Orders.sqlite"))
        let read = try #require(try again.orders().first { $0.customerName == "Ann" }?.orderItems.first)
        read.product = read.product
        read.quantity = 3
        try again.context.save()
        #expect(read.purchasePrice == 20 && read.customerOrder?.orderTotal == 60)
        // A form of an application sets properties by their keys.
        let item = OrderItem(context: again.context)
        item.setValue(try again.product("Lamp"), forKey: "product")
        #expect(item.purchasePrice == 35)
    }

    @Test("the total of an order follows its items, their prices and their deletion (SAMPLE-12)")
    func total() throws {
        let (lamp, pen) = (try book.setCost(20, of: "Lamp"), try book.setCost(Decimal(string: "0.1") ?? 0, of: "Pen"))
        let order = try book.order(for: "Ann", on: Self.day, [(lamp, 1), (pen, 3)])
        func total() -> String? { (order.value(forKey: "orderTotal") as? NSDecimalNumber)?.stringValue }
        #expect(total() == "20.3")
        let pens = try #require(order.orderItems.first { $0.product == pen })
        pens.quantity = 5
        #expect(total() == "20.5")
        pens.purchasePrice = NSDecimalNumber(string: "0.2")
        #expect(total() == "21")
        let more = OrderItem(context: book.context)
        more.customerOrder = order
        #expect(total() == "22")
        try book.context.save()
        book.context.delete(pens)
        #expect(total() == "21")
        try book.context.save()
        #expect(total() == "21" && order.orderItems.count == 2)
        book.context.reset()
        let read = try #require(try book.orders().first)
        #expect(read.orderTotal == 21)
        more.managedObjectContext?.rollback()
    }

    @Test("an order without items is refused, also when its last one is deleted (SAMPLE-12)")
    func leastItems() throws {
        func refusal(_ body: () throws -> Void) -> Int? {
            let error = #expect(throws: NSError.self) { try body() }
            return error?.code
        }
        #expect(refusal { try book.order(for: "Ann", on: Self.day, []) } == 1580)
        #expect(try book.orders().isEmpty)
        let lamp = try book.setCost(20, of: "Lamp")
        let order = try book.order(for: "Ann", on: Self.day, [(lamp, 1)])
        for item in order.orderItems { book.context.delete(item) }
        #expect(refusal { try book.context.save() } == 1580)
        book.context.rollback()
        #expect(try book.orders().first?.orderTotal == 20)
        book.context.delete(order)
        try book.context.save()
        #expect(try book.context.count(for: NSFetchRequest<OrderItem>(entityName: "OrderItem")) == 0)
    }

    @Test("the application of property lists shows totals and keeps prices by the program's classes (SAMPLE-12)")
    func application() async throws {
        let lamp = try book.setCost(20, of: "Lamp")
        let order = try book.order(for: "Ann", on: Self.day, [(lamp, 2)])
        var options = BrowserOptions()
        options.stateFolder = folder.url.appendingPathComponent("state")
        let browser = Browser(options: options)
        let lists = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Examples/Orders/App")
        try browser.openApp(
            lists, classes: [CustomerOrder.self, OrderItem.self, Product.self, Customer.self, CustomerComment.self],
            storeFolder: folder.url)
        let app = try #require(browser.core.apps.shown.first).id
        func answer(_ path: String) async throws -> String {
            let target = "/apps/\(app)\(path)"
            let request = BrowserRequest(
                method: "GET", target: target, headers: ["Accept-Language": "en-US"],
                body: BrowserBody([]), user: BrowserUser(name: "tester"))
            let response = await browser.respond(to: request)
            #expect(response.status == 200, "\(target)")
            return String(decoding: try await response.body.bytes(limit: 1 << 20), as: UTF8.self)
        }
        let row = try await answer("/lists/0")
        #expect(row.contains(#""title": "Ann""#) && row.contains(#""total": 1"#))
        let key = order.objectID.uriRepresentation().lastPathComponent
        let form = try await answer("/forms/OrderDetail/CustomerOrder/\(key)")
        #expect(form.contains(#""label": "Total""#) && form.contains(#""text": "40""#) && !form.contains("no class"))
        #expect(try await answer("").contains(#""problems": []"#))
    }
}
