import CoreData

/// `GET /stores/{store}/check`: the damage and inconsistencies that a check of the store finds.
struct StoreCheckPage: ViewPage {
    let route = Route("GET /stores/{store}/check")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let limit = try call.number("limit", default: StoreCheck.usualLimit, in: 0...10_000)
        return .json(try await call.store.check(for: call.access, limit: limit).json)
    }
}

/// `POST /stores/{store}/repair`: makes a backup beside the store, then repairs what can be repaired.
struct StoreRepairPage: Page {
    let route = Route("POST /stores/{store}/repair")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (store, browser) = (try call.store, call.browser)
        let check = try store.storeCheck(for: call.access, limit: StoreCheck.usualLimit)
        try store.requireWriting()
        try store.requireChangingAll(for: call.access, "a repair changes")
        try browser.sessions.requireNothingStaged(in: store)
        // A repair that has begun continues even if the client disconnects.
        let repaired = try await Task.detached {
            try await BrowsedStore.onOwnThread {
                var repaired: RepairedStore?
                try browser.reopen(store) { repaired = try StoreRepair(check).run { _ in } }
                return repaired?.json
            }
        }.value
        return .json(repaired ?? .null)
    }
}
