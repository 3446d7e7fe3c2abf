import CoreData

/// `GET /stores/{store}/entities/{entity}`: a window of a list of objects.
struct ListPage: ViewPage {
    let route = Route("GET /stores/{store}/entities/{entity}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let window = ListWindow(
            question: call.listQuestion, keys: call.query["keys"],
            offset: try call.number("offset", default: 0, in: 0...Int(Int32.max)),
            limit: try call.number("limit", default: 100, in: 1...1_000), token: call.query["order"],
            around: call.query["around"], choices: try call.kindChoices)
        return .json(try await window.json(of: call.lists))
    }
}

extension PageCall {
    /// Which objects the list of the call has, and in what order.
    package var listQuestion: ListQuestion { ListQuestion(parameters["entity"] ?? "", query) }

    /// The lists of the store that the path names.
    var lists: StoreLists {
        get throws {
            let store = try store
            return StoreLists(store: store, orders: browser.orders(of: store), access: access)
        }
    }
}
