import CoreData
import CoreDataJobs
import CoreDataSyncing

/// `GET /stores/{store}/sync`: how the store stands with its peers, as of its last exchange. Nothing is written.
struct SyncPage: ViewPage {
    let route = Route("GET /stores/{store}/sync")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        try store.requireReadingAll(for: call.access, "sync brings", hint: "ask who runs the browser")
        try store.requireFile()
        let place = call.browser.options.syncTransport
        let members: [(String, JSONValue)] = try await BrowsedStore.onOwnThread {
            try BrowserFailure.explaining {
                guard let address = try SyncSession.address(of: store.opened.store) else { return [] }
                let (transport, failure) = Self.transport(at: address, place)
                guard let status = try SyncSession.status(of: store.opened.store, over: transport) else { return [] }
                return status.members + [
                    (
                        "unusable",
                        failure.map { .object([("message", .string($0.description)), ("cure", .string($0.cure))]) }
                            ?? .null
                    )
                ]
            }
        }
        return .json(
            .object(
                [("writing", .bool(store.opened.isWriting)), ("takesPart", .bool(!members.isEmpty))] + members))
    }

    /// The transport, or why this program cannot use it.
    private static func transport(
        at address: String, _ place: (String) throws -> any SyncTransport
    ) -> ((any SyncTransport)?, SyncError?) {
        do { return (try place(address), nil) } catch let error as SyncError { return (nil, error) } catch {
            return (nil, SyncError(.transport, error.localizedDescription, cure: "See whether the place is there."))
        }
    }
}

/// `POST /stores/{store}/sync`: exchanges once with the peers, as a job; `{"compare": true}` compares all objects with what was last known.
struct SyncExchangePage: Page {
    let route = Route("POST /stores/{store}/sync")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        let isComparing = try JSONParts(try await call.json()).flag("compare")
        return try call.started(
            call.syncPlan(of: store) { session, _ in try await session.exchange(comparing: isComparing).json },
            in: store)
    }
}

/// `POST /stores/{store}/sync/forget`: lets a peer take part no longer, `{"peer"}`, as a job.
struct SyncForgetPage: Page {
    let route = Route("POST /stores/{store}/sync/forget")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        let peer = try JSONParts(try await call.json()).text("peer")
        return try call.started(
            call.syncPlan(of: store) { session, _ in
                try await session.forget(peer)
                return .object([("peer", .string(peer))])
            }, in: store)
    }
}

extension PageCall {
    /// A job that works with the peers of a store.
    ///
    /// - Parameter asksPeers: Whether the place of the peers is needed, and looked at before anything is changed.
    /// - Throws: `BrowserFailure` if the store takes no part, and as imports do.
    func syncPlan(
        of store: BrowsedStore, asksPeers: Bool = true,
        _ work: @escaping @Sendable (SyncSession, NSPersistentStore) async throws -> JSONValue
    ) throws -> JobPlan {
        try store.requireFile()
        try store.requireReadingAll(for: access, "sync brings", hint: "ask who runs the browser")
        try store.requireWriting()
        try store.requireChangingAll(for: access, "sync changes")
        let (target, browser) = (try importTarget(store), browser)
        return try BrowserFailure.explaining {
            guard let address = try SyncSession.address(of: store.opened.store) else { throw SyncError.takesNoPart }
            let transport = try browser.options.syncTransport(address)
            try browser.sessions.requireNothingStaged(in: store)
            var plan = JobPlan(.sync, transport.title) { _, _ in
                try BrowserFailure.explaining {
                    // A place that does not answer holds up no other job.
                    if asksPeers { _ = try transport.items() }
                    let result = try browser.changeFile(of: store) {
                        try target.syncing(over: transport, isForInspection: !asksPeers, work)
                    }
                    Task { await browser.sessions.refresh(store) }
                    return result
                }
            }
            plan.asksServers = asksPeers
            return plan
        }
    }
}

extension SyncError {
    fileprivate static let takesNoPart = SyncError(
        .notJoined, "The store takes no part in sync yet.", cure: "Run 'coredata sync init STORE --folder FOLDER'.")
}
