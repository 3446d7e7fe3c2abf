import CAvahi
import Dispatch

/// The connection to the Avahi daemon that all operations of a process share: the bus limits connections of one user.
///
/// Invariants:
/// 1. It is touched on the queue of the module alone; callbacks of the library only pass values on to that queue.
/// 2. `client` is freed once, when the last member has left or the daemon is lost; members free what they made of it before.
///
/// | the daemon | members |
/// |---|---|
/// | registers its host name, or changes it | take back what they announce |
/// | runs | announce |
/// | is lost | free what they have, and wait for its return or fail |
final class DaemonConnection: @unchecked Sendable {
    /// What uses a connection.
    protocol Member: AnyObject {
        /// The daemon runs, or no longer does because its host name changes.
        func daemonRuns(_ isRunning: Bool)
        /// The daemon is lost. What was made of the connection must be freed at once.
        func daemonWasLost(_ error: DiscoveryError)
        /// The daemon that was lost runs again, for members that wait in `DaemonReturn`.
        func daemonReturned()
    }

    nonisolated(unsafe) private static var current: DaemonConnection?

    let thread: PollThread
    private(set) var client: OpaquePointer
    private(set) var isRunning = false
    private var members: [ObjectIdentifier: any Member] = [:]
    private let receiver: Unmanaged<CallbackReceiver<AvahiClientState>>

    /// The connection, made for the first member.
    ///
    /// - Throws: `DiscoveryError` if library, bus or daemon are missing.
    static func join(_ member: any Member, _ attempt: String) throws(DiscoveryError) -> DaemonConnection {
        let connection: DaemonConnection
        if let current { connection = current } else { connection = try DaemonConnection(attempt) }
        current = connection
        connection.members[ObjectIdentifier(member)] = member
        return connection
    }

    /// Whether the daemon can be asked. A connection that is made for this stays for the next member.
    static func isPossible() -> Bool {
        if current == nil { current = try? DaemonConnection("discovery goes on") }
        return current != nil
    }

    private init(_ attempt: String) throws(DiscoveryError) {
        thread = try PollThread.shared.get()
        let receiver = CallbackReceiver<AvahiClientState>()
        self.receiver = Unmanaged.passRetained(receiver)
        var code: Int32 = 0
        let (poll, context) = (thread.poll, self.receiver.toOpaque())
        let made = thread.locked {
            cavahi_client_new(
                poll, { _, state, context in CallbackReceiver<AvahiClientState>.receive(state, context) }, context,
                &code)
        }
        guard let made else {
            self.receiver.release()
            throw DaemonFailure.error(code, attempt)
        }
        client = made
        receiver.handler = { [weak self] in self?.changed($0) }
    }

    /// Ends the use of the connection, and with its last member the connection.
    func leave(_ member: any Member) {
        guard members.removeValue(forKey: ObjectIdentifier(member)) != nil, members.isEmpty else { return }
        end()
    }

    private func end() {
        guard Self.current === self else { return }
        Self.current = nil
        thread.locked { cavahi_client_free(client) }
        receiver.release()
    }

    private func changed(_ state: AvahiClientState) {
        guard Self.current === self else { return }
        if state == AVAHI_CLIENT_FAILURE {
            let error = DaemonFailure.error(lastError, "discovery has stopped")
            let all = members.values
            members = [:]
            for member in all { member.daemonWasLost(error) }
            return end()
        }
        isRunning = state == AVAHI_CLIENT_S_RUNNING
        for member in members.values { member.daemonRuns(isRunning) }
    }

    /// The code of what failed last.
    var lastError: Int32 { thread.locked { cavahi_client_errno(client) } }
}
