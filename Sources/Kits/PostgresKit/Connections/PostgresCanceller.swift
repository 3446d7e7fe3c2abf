import CPostgres
import Dispatch
import Synchronization

/// Has the server end what a connection is asking, from any thread.
///
/// The request goes over a connection of its own, which may take long to come about, or never answer, so it is made on a thread of
/// its own, one at a time. What has ended before it comes is not affected; what begins after it may be.
package final class PostgresCanceller: Sendable {
    /// Freed when neither the connection nor a request that is on its way needs it.
    private final class Handle: @unchecked Sendable {
        let pointer: OpaquePointer

        init?(_ connection: OpaquePointer) {
            guard let pointer = PQgetCancel(connection) else { return nil }
            self.pointer = pointer
        }

        deinit { PQfreeCancel(pointer) }
    }

    private struct State {
        var handle: Handle?
        var isSending = false
    }

    private let state: Mutex<State>
    private static let queue = DispatchQueue(label: "CoreData.PostgresCanceller", attributes: .concurrent)

    init(_ connection: OpaquePointer) { state = Mutex(State(handle: Handle(connection))) }

    package func cancel() {
        Self.queue.async { self.send() }
    }

    private func send() {
        // Not while the state is held: closing the connection is not to wait for a server that does not answer.
        let handle = state.withLock { state -> Handle? in
            guard !state.isSending, let handle = state.handle else { return nil }
            state.isSending = true
            return handle
        }
        guard let handle else { return }
        var message = [CChar](repeating: 0, count: 256)
        _ = PQcancel(handle.pointer, &message, Int32(message.count))
        state.withLock { $0.isSending = false }
    }

    func end() { state.withLock { $0.handle = nil } }
}
