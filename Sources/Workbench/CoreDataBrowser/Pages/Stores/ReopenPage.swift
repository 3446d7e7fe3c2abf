import CoreData

/// `POST /stores/{store}/reopen`: opens a store's file again, after it was replaced, restored or repaired.
struct ReopenPage: Page {
    let route = Route("POST /stores/{store}/reopen")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        try call.browser.reopen(store)
        return .json(.object([("store", store.summary)]))
    }
}
