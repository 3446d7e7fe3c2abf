import CoreData

/// `POST /apps/{app}/lists/{list}/order`: the steps that move a row of a list with a manual order.
struct AppOrderPage: Page {
    let route = Route("POST /apps/{app}/lists/{list}/order")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let app = try call.app
        let list = try app.list(call.parameters["list"] ?? "")
        let body = try await call.json()
        guard let from = body.integer("from"), let to = body.integer("to") else {
            throw BrowserFailure.badRequest("'from' and 'to' are numbers of rows, which count from 0")
        }
        return .json(try await app.store.read(for: call.access) { try ManualOrder(list, $0).moving(from, to: to) })
    }
}
