import CoreData
import CoreDataJobs

/// `GET /stores/{store}/subscriptions`: the URLs that the store subscribes to, with the times of the last and the next request.
struct SubscriptionListPage: ViewPage {
    let route = Route("GET /stores/{store}/subscriptions")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        try store.requireReadingAll(for: call.access, "a subscription brings", hint: "ask who runs the browser")
        let file = try store.storeFile("it has no subscriptions")
        let all = Subscription.all(in: try StoreFacts(at: file).metadata)
        return .json(
            .object([
                ("writing", .bool(store.opened.isWriting)), ("now", .string(ISODate.text(Date()))),
                ("subscriptions", .array(all.map(\.shown))),
            ]))
    }
}

/// `POST /stores/{store}/subscriptions`: subscribes to a URL, as a job; with `"preview": true` as one that stores nothing and whose
/// result has the first entries.
struct SubscribePage: Page {
    private static let samples = 20
    let route = Route("POST /stores/{store}/subscriptions")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        try call.requireImporting(into: store)
        let parts = JSONParts(try await call.json())
        let choice = try SubscriptionChoice(parts)
        let isPreview = try parts.flag("preview")
        let target = try call.importTarget(store)
        let (browser, web) = (call.browser, call.browser.importAccess)
        if !isPreview { try browser.sessions.requireNothingStaged(in: store) }
        let author = call.request.user?.name ?? OpenStore.author
        let url = choice.subscription.url
        var plan = JobPlan(isPreview ? .trial : .subscription, url.hostAndPath) { handle, _ in
            var access = web
            access.onProgress = { received, all in
                handle.report(completed: Int64(received), total: all.map { Int64($0) })
            }
            let mode: EditMode = isPreview ? .dryRun : .save
            let model = store.opened.wholeModel
            let result = try choice.run(mode, samples: isPreview ? Self.samples : 0, for: model, by: access) { work in
                if !isPreview { try browser.sessions.requireNothingStaged(in: store) }
                return try browser.changeFile(of: store, mode) { try target.importing(by: author, work) }
            }
            if !isPreview { Task { await browser.sessions.refresh(store) } }
            return result
        }
        plan.asksServers = true
        plan.needsNetwork = call.needsNetwork(choice.host)
        return try call.started(plan, in: store)
    }
}

/// `POST /stores/{store}/subscriptions/refresh`: asks for a URL, or for all that are due, and imports what is new, as a job.
struct SubscriptionRefreshPage: Page {
    let route = Route("POST /stores/{store}/subscriptions/refresh")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        try call.requireImporting(into: store)
        let place = try JSONParts(try await call.json()).optionalText("url")
        let target = try call.importTarget(store)
        let named = try place.map { try Subscription.to($0, in: StoreFacts(at: target.url).metadata) }
        let author = call.request.user?.name ?? OpenStore.author
        let round = RefreshRound(
            browser: call.browser, store: store, target: target, author: author, named: named?.url)
        try call.browser.sessions.requireNothingStaged(in: store)
        var plan = JobPlan(.refresh, named?.url.hostAndPath ?? store.id) { handle, _ in try round.run(handle) }
        plan.asksServers = true
        return try call.started(plan, in: store)
    }
}

/// `POST /stores/{store}/subscriptions/end`: ends a subscription; what was imported stays.
struct UnsubscribePage: Page {
    let route = Route("POST /stores/{store}/subscriptions/end")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        try call.requireImporting(into: store)
        let place = try JSONParts(try await call.json()).text("url")
        let (target, browser) = (try call.importTarget(store), call.browser)
        let author = call.request.user?.name ?? OpenStore.author
        try browser.sessions.requireNothingStaged(in: store)
        try await BrowsedStore.onOwnThread {
            let subscription = try Subscription.to(place, in: StoreFacts(at: target.url).metadata)
            try browser.changeFile(of: store) {
                try target.importing(by: author) { try subscription.remove(from: $0) }
            }
        }
        return .done
    }
}

extension Subscription {
    /// The subscription, and when a view that stays open asks for it again.
    fileprivate var shown: JSONValue {
        guard case .members(let members) = json else { return json }
        return .members(members + [.init(key: "next", value: .text(nextInView.map(ISODate.text)))])
    }
}

extension PageCall {
    /// The file that imports change, and the model by which they open it.
    func importTarget(_ store: BrowsedStore) throws -> StoreFileAccess {
        StoreFileAccess(url: try store.storeFile("nothing can be imported"), model: store.model)
    }

    /// Whether a job that asks a host waits until other machines can be reached.
    ///
    /// A name without a point, or an address, may be of this machine: the request says so at once.
    func needsNetwork(_ host: String) -> Bool {
        host.contains(".") && host.contains(where: \.isLetter)
            && !browser.options.importHosts.contains(host.lowercased())
    }
}

extension URL {
    /// The host and the path, without a password and what may be secret in a query.
    var hostAndPath: String { (host ?? "") + path }
}
