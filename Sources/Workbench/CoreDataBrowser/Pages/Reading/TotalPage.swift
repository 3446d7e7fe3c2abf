import CoreData

/// `GET /stores/{store}/entities/{entity}/total`: how many objects a list has, and the token of its order.
struct TotalPage: Page {
    let route = Route("GET /stores/{store}/entities/{entity}/total")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let order = try await call.lists.order(call.listQuestion, token: call.query["order"])
        return .json(.object([("total", .count(order.count)), ("order", .string(order.token))]))
    }
}
