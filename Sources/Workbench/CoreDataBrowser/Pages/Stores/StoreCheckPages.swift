import CoreData

/// `GET /stores/{store}/check`: the damage and inconsistencies that a check of the store finds.
struct StoreCheckPage: ViewPage {
    let route = Route("GET /stores/{store}/check")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let limit = try call.number("limit", default: StoreCheck.usualLimit, in: 0...10_000)
        return .json(try await call.store.check(for: call.access, limit: limit).json)
    }
}

/// `POST /stores/{store}/check`: the same as a job.
struct CheckJobPage: Page {
    let route = Route("POST /stores/{store}/check")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        return try call.started(call.checkPlan(of: store), in: store)
    }
}

/// `POST /stores/{store}/repair`: makes a backup beside the store, then repairs what can be repaired; with `"job": true`
/// as a job.
struct StoreRepairPage: Page {
    let route = Route("POST /stores/{store}/repair")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (store, browser) = (try call.store, call.browser)
        let check = try store.storeCheck(for: call.access, limit: StoreCheck.usualLimit)
        try store.requireWriting()
        try store.requireChangingAll(for: call.access, "a repair changes")
        try browser.sessions.requireNothingStaged(in: store)
        let repair = { @Sendable () throws -> JSONValue in
            var repaired: RepairedStore?
            try store.fileTurn.take {
                try browser.sessions.requireNothingStaged(in: store)
                try browser.reopen(store) { repaired = try StoreRepair(check).run { _ in } }
            }
            return repaired?.json ?? .null
        }
        if call.request.headers["Content-Type"] != nil, try JSONParts(await call.json()).flag("job") {
            let plan = JobPlan(.repair, store.name) { _, _ in
                try browser.sessions.requireNothingStaged(in: store)
                // A repair that has begun is not interrupted.
                return try ReadCancellation.$current.withValue(nil, operation: repair)
            }
            return try call.started(plan, in: store)
        }
        // A repair that has begun continues even if the client disconnects.
        return .json(try await Task.detached { try await BrowsedStore.onOwnThread { try repair() } }.value)
    }
}

extension PageCall {
    /// The check of a store's file, as a job.
    ///
    /// - Throws: As `BrowsedStore.storeCheck` does.
    func checkPlan(of store: BrowsedStore) throws -> JobPlan {
        let check = try store.storeCheck(for: access, limit: StoreCheck.usualLimit)
        var plan = JobPlan(.check, store.name) { _, _ in try check.run().json }
        plan.resuming = ResumableJob(request: "{}")
        return plan
    }
}
