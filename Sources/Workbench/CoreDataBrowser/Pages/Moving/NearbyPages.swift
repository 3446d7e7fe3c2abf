import CoreData
import CoreDataJobs
import CoreDataSyncing

/// `GET /stores/{store}/sync/devices`: the devices nearby, with how each stands to the store.
struct NearbyDevicesPage: Page {
    let route = Route("GET /stores/{store}/sync/devices")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        try call.requireSyncing(store, isChanging: false)
        return .json(NearbyAnswer.json(of: store, call.browser))
    }
}

/// `POST /stores/{store}/sync/devices`: begins to connect with devices nearby, or ends it: `{"running"}`.
struct NearbyRunningPage: Page {
    let route = Route("POST /stores/{store}/sync/devices")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        try call.requireSyncing(store)
        let isRunning = try JSONParts(try await call.json()).flag("running")
        let browser = call.browser
        guard isRunning else {
            browser.meetings.stop(store)
            return .json(NearbyAnswer.json(of: store, browser))
        }
        return try await BrowsedStore.onOwnThread {
            try BrowserFailure.explaining {
                guard let address = try SyncSession.address(of: store.opened.store) else { throw SyncError.notJoined }
                try browser.meetings.start(store, at: address, browser.options)
                return .json(NearbyAnswer.json(of: store, browser))
            }
        }
    }
}

/// `POST /stores/{store}/sync/devices/join`: makes the store take part with devices nearby, as a job, and begins to connect with them:
/// `{"type", "group", "founding"}`. The address `peers:TYPE/GROUP` is kept in the store.
struct NearbyJoinPage: Page {
    let route = Route("POST /stores/{store}/sync/devices/join")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let store = try call.store
        try call.requireSyncing(store)
        let parts = JSONParts(try await call.json())
        let (type, group) = (try parts.text("type"), try parts.optionalText("group") ?? "")
        let isFounding = try parts.flag("founding")
        let (target, browser) = (try call.importTarget(store), call.browser)
        let address = NearbyMeetings.prefix + type + (group.isEmpty ? "" : "/" + group)
        try browser.sessions.requireNothingStaged(in: store)
        let meeting = try await BrowsedStore.onOwnThread {
            try BrowserFailure.explaining {
                guard try !SyncSession.takesPart(store.opened.store) else { throw SyncError.alreadyJoined }
                return try browser.meetings.start(store, at: address, browser.options)
            }
        }
        let plan = JobPlan(.sync, meeting.transport.title) { _, _ in
            do {
                return try BrowserFailure.explaining {
                    let result: JSONValue = try browser.changeFile(of: store) {
                        try target.syncing(over: meeting.transport, isForInspection: false) { session, _ in
                            try await session.join(isFounding ? .founding : .joining)
                            return .object([("founding", .bool(isFounding))])
                        }
                    }
                    Task { await browser.sessions.refresh(store) }
                    return result
                }
            } catch {
                browser.meetings.stop(store)
                throw error
            }
        }
        return try call.started(plan, in: store)
    }
}

/// `POST /stores/{store}/sync/devices/connect`: connects with a device that is seen, `{"device"}`, or with the one at an address, `{"address"}`.
/// The latter waits for the outcome.
struct NearbyConnectPage: Page {
    let route = Route("POST /stores/{store}/sync/devices/connect")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (store, meeting) = try call.meeting()
        let parts = JSONParts(try await call.json())
        if let address = try parts.optionalText("address") {
            do {
                try await meeting.transport.connect(to: address)
            } catch let error as SyncError { throw BrowserFailure(error) }
        } else {
            meeting.transport.connect(try parts.text("device"))
        }
        return .json(NearbyAnswer.json(of: store, call.browser))
    }
}

/// `POST /stores/{store}/sync/devices/answer`: whether a device shows the same code, `{"device", "same"}`.
struct NearbyAnswerPage: Page {
    let route = Route("POST /stores/{store}/sync/devices/answer")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let (store, meeting) = try call.meeting()
        let parts = JSONParts(try await call.json())
        meeting.transport.answer(try parts.text("device"), isSameCode: try parts.flag("same"))
        return .json(NearbyAnswer.json(of: store, call.browser))
    }
}

/// What pages about devices nearby answer.
enum NearbyAnswer {
    static func json(of store: BrowsedStore, _ browser: BrowserCore) -> JSONValue {
        let meeting = browser.meetings[store]
        let transport = meeting?.transport
        let failure = transport?.discoveryFailure
        return .object([
            ("possible", .bool(browser.options.nearbyTransport != nil)), ("running", .bool(meeting != nil)),
            ("group", transport.map { .string($0.title) } ?? .null),
            ("arrivals", .integer(Int64(meeting?.arrivals ?? 0))),
            ("addresses", .array((transport?.ownAddresses ?? []).map { .string($0) })),
            (
                "failure",
                failure.map { .object([("message", .string($0.description)), ("cure", .string($0.cure))]) } ?? .null
            ),
            ("devices", .array((transport?.devices ?? []).map(json))),
        ])
    }

    private static func json(_ device: NearbyDevice) -> JSONValue {
        .object([
            ("id", .string(device.id)), ("name", .string(device.name)), ("state", .string(device.state.rawValue)),
            ("code", device.code.map { .string($0) } ?? .null),
            ("problem", device.problem.map { .string($0) } ?? .null),
        ])
    }
}

extension PageCall {
    /// Refuses who may not read all, and to change all where the call does that.
    func requireSyncing(_ store: BrowsedStore, isChanging: Bool = true) throws {
        try store.requireFile()
        try store.requireReadingAll(for: access, "sync brings", hint: "ask who runs the browser")
        guard isChanging else { return }
        try store.requireWriting()
        try store.requireChangingAll(for: access, "sync changes")
    }

    /// The store, whose devices are being connected.
    fileprivate func meeting() throws -> (BrowsedStore, NearbyMeetings.Meeting) {
        let store = try store
        try requireSyncing(store)
        guard let meeting = browser.meetings[store] else {
            throw BrowserFailure(
                409, code: "transport", reason: "the store is not being connected with devices nearby",
                hint: "begin that first")
        }
        return (store, meeting)
    }
}
