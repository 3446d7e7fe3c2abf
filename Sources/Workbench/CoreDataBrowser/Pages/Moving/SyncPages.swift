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
        let (options, meeting) = (call.browser.options, call.browser.meetings[store]?.transport)
        let members: [(String, JSONValue)] = try await BrowsedStore.onOwnThread {
            try BrowserFailure.explaining {
                guard try SyncSession.takesPart(store.opened.store) else { return [] }
                let (transport, failure) = Self.transport(of: store, options, meeting)
                guard let status = try SyncSession.status(of: store.opened.store, over: transport) else { return [] }
                return status.members + [("unusable", failure.map(Self.shown) ?? .null)]
            }
        }
        return .json(
            .object(
                [
                    ("writing", .bool(store.opened.isWriting)), ("takesPart", .bool(!members.isEmpty)),
                    ("nearbyPossible", .bool(options.nearbyTransport != nil)),
                ] + members))
    }

    /// The transport, or why this program cannot use it.
    private static func transport(
        of store: BrowsedStore, _ options: BrowserOptions, _ meeting: (any NearbyTransport)?
    ) -> ((any SyncTransport)?, SyncError?) {
        do {
            return (try meeting ?? options.transport(of: store), nil)
        } catch {
            let cure = "See whether the place is there."
            return (nil, error as? SyncError ?? SyncError(.transport, error.localizedDescription, cure: cure))
        }
    }

    private static func shown(_ failure: SyncError) -> JSONValue {
        .object([("message", .string(failure.description)), ("cure", .string(failure.cure))])
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
            let transport = try browser.meetings[store]?.transport ?? browser.options.transport(of: store)
            if asksPeers, browser.meetings[store] == nil, transport.isNearby {
                throw SyncError(
                    .transport, "The devices nearby are not connected.",
                    cure: "Begin to connect with them, and exchange then.")
            }
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

extension BrowserOptions {
    /// The transport of a store that takes part in sync.
    ///
    /// - Throws: `SyncError` if it takes no part, or this program cannot use its transport.
    fileprivate func transport(of store: BrowsedStore) throws -> any SyncTransport {
        let kept = store.opened.store
        if let address = try SyncSession.address(of: kept) {
            guard address.hasPrefix(NearbyMeetings.prefix) else { return try syncTransport(address) }
            guard let transport = try nearbyTransport?(address, kept.identifier, false) else {
                throw NearbyMeetings.unknown
            }
            return transport
        }
        guard try SyncSession.takesPart(store.opened.store) else { throw SyncError.notJoined }
        throw SyncError(
            .transport, "The store does not say where its peers are.",
            cure: "Exchange by the program that opens its session.")
    }
}

extension SyncTransport {
    /// Whether the peers are devices nearby.
    fileprivate var isNearby: Bool { address?.hasPrefix(NearbyMeetings.prefix) ?? false }
}
