import CAvahi
import Dispatch

/// The queue of the module: all that operations keep is touched on it alone, and it is where they report.
///
/// Requests to the daemon wait for its answer, which takes long when the daemon hangs; so no caller waits, and errors
/// of the daemon arrive as events.
package enum DiscoveryQueue {
    package static let queue = DispatchQueue(label: "DiscoveryKit")
}

/// The thread on which Avahi's library calls back, with its lock: one in a process, which never ends.
struct PollThread: Sendable {
    /// Only handed to functions of the library, which guard it.
    nonisolated(unsafe) let poll: OpaquePointer

    static let shared: Result<PollThread, DiscoveryError> = {
        guard cavahi_load() == 1 else {
            return .failure(
                DiscoveryError(
                    .libraryMissing, "services cannot be discovered: \(String(cString: cavahi_load_error()))",
                    hint: "install the packages libavahi-client3 and avahi-daemon, \(DaemonFailure.way)"))
        }
        guard let poll = cavahi_poll_new(), cavahi_poll_start(poll) == 0 else {
            return .failure(
                DiscoveryError(
                    .refused(AvahiCode.system), "services cannot be discovered: no thread can be started",
                    hint: "look at the limits of the system, \(DaemonFailure.way)"))
        }
        return .success(PollThread(poll: poll))
    }()

    /// Calls a block while the library's thread stands still. Not for callbacks, which run so anyway.
    func locked<Value>(_ body: () -> Value) -> Value {
        cavahi_poll_lock(poll)
        defer { cavahi_poll_unlock(poll) }
        return body()
    }
}
