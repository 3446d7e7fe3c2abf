import CoreData
import Synchronization

/// Who may ask: codes that begin a session once, sessions by their cookie, and the tabs of each with their secrets.
///
/// Invariants:
/// 1. A code is taken at most once.
/// 2. There are at most `greatestCount` sessions, and of each `greatestTabCount` tabs: the one that was used least lately goes.
package final class Sessions: Sendable {
    static let greatestCount = 32
    static let greatestTabCount = 64
    private static let greatestCodeCount = 16

    /// What a tab gets when it begins.
    package struct Start: Sendable {
        package let session: String
        package let tab: String
        package let secret: String
    }

    private struct Tab {
        let secret: String
        var used: Int
    }

    private struct Session {
        var tabs: [String: Tab] = [:]
        var used: Int
    }

    private struct State {
        /// Counts uses, so that they have an order whatever the clock does.
        var uses = 0
        var codes: [String] = []
        var sessions: [String: Session] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// A code that begins a session once.
    package func code() -> String {
        let code = Secret.random()
        state.withLock { state in
            state.codes.append(code)
            if state.codes.count > Self.greatestCodeCount { state.codes.removeFirst() }
        }
        return code
    }

    /// Begins a session with a code, or a tab of the session that the cookie names.
    ///
    /// - Returns: nil for a code that there is not, or no more.
    package func start(code: String, cookie: String?) -> Start? {
        state.withLock { state in
            guard let index = state.codes.firstIndex(where: { Secret.areEqual($0, code) }) else { return nil }
            state.codes.remove(at: index)
            // The cookie of an older session would be replaced by that of a new one, and the older one's tabs be lost.
            let known = cookie.flatMap { state.sessions[$0] == nil ? nil : $0 }
            return Self.addTab(to: known ?? Secret.random(), &state)
        }
    }

    /// Adds a tab to a session; nil if the session does not exist.
    package func addTab(to session: String) -> Start? {
        state.withLock { state in
            guard state.sessions[session] != nil else { return nil }
            return Self.addTab(to: session, &state)
        }
    }

    /// Whether there is a session.
    func has(_ session: String) -> Bool { state.withLock { $0.sessions[session] != nil } }

    /// Whether a tab of a session has this secret; the tab counts as used then.
    package func accepts(_ session: String, tab: String, secret: String) -> Bool {
        state.withLock { state in
            guard let found = state.sessions[session]?.tabs[tab], Secret.areEqual(found.secret, secret) else {
                return false
            }
            state.uses += 1
            state.sessions[session]?.used = state.uses
            state.sessions[session]?.tabs[tab]?.used = state.uses
            return true
        }
    }

    private static func addTab(to id: String, _ state: inout State) -> Start {
        state.uses += 1
        var session = state.sessions[id] ?? Session(used: state.uses)
        session.used = state.uses
        let start = Start(session: id, tab: Secret.name(), secret: Secret.random())
        session.tabs[start.tab] = Tab(secret: start.secret, used: state.uses)
        if session.tabs.count > greatestTabCount, let idle = session.tabs.min(by: { $0.value.used < $1.value.used }) {
            session.tabs[idle.key] = nil
        }
        state.sessions[id] = session
        if state.sessions.count > greatestCount, let idle = state.sessions.min(by: { $0.value.used < $1.value.used }) {
            state.sessions[idle.key] = nil
        }
        return start
    }
}
