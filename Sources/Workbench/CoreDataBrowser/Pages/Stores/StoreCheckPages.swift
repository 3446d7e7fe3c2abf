import CoreData

/// `GET /stores/{store}/check`: everything in the store that is not as it should be.
struct StoreCheckPage: ViewPage {
    let route = Route("GET /stores/{store}/check")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let limit = try call.number("limit", default: StoreCheck.usualLimit, in: 0...10_000)
        return .json(try await call.store.check(for: call.access, limit: limit).json)
    }
}

/// `POST /stores/{store}/repair`: repairs what can be repaired, after a backup beside the store.
struct StoreRepairPage: Page {
    let route = Route("POST /stores/{store}/repair")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (store, browser) = (try call.store, call.browser)
        let check = try store.storeCheck(for: call.access, limit: StoreCheck.usualLimit)
        try store.requireWriting()
        try store.requireChangingAll(for: call.access, "a repair changes")
        try browser.sessions.requireNothingStaged(in: store)
        // A repair that has begun goes on though its tab is closed.
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
