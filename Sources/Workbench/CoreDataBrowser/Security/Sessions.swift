import CoreData
import Synchronization

/// Who may send requests: codes that each begin one session, sessions by their cookies, and the tabs of each session
/// with their secrets.
///
/// Invariants:
/// 1. A code is accepted at most once.
/// 2. There are at most `greatestCount` sessions, each with at most `greatestTabCount` tabs; a new one replaces the
///    least recently used one.
package final class Sessions: Sendable {
    static let greatestCount = 32
    static let greatestTabCount = 64
    private static let greatestCodeCount = 16

    /// The names and the secret that a new tab gets.
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
        /// Counts uses, which orders them independently of the clock.
        var uses = 0
        var codes: [String] = []
        var sessions: [String: Session] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Makes a code that begins one session.
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
    /// - Returns: Nil for a code that is unknown or was already used.
    package func start(code: String, cookie: String?) -> Start? {
        state.withLock { state in
            guard let index = state.codes.firstIndex(where: { Secret.areEqual($0, code) }) else { return nil }
            state.codes.remove(at: index)
            // A new session's cookie would replace that of the known session, whose tabs would lose access.
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

    /// Whether a session exists.
    func has(_ session: String) -> Bool { state.withLock { $0.sessions[session] != nil } }

    /// Whether a tab of a session has this secret; if so, records the use of the tab and of the session.
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
