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
        let mended = try await Task.detached {
            try await BrowsedStore.onOwnThread {
                var mended: MendedStore?
                try browser.reopen(store) { mended = try StoreMending(check).run { _ in } }
                return mended?.json
            }
        }.value
        return .json(mended ?? .null)
    }
}
