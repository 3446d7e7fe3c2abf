import CPostgres
import Dispatch
import Synchronization

/// Cancels the running query of a connection on the server, from any thread.
///
/// The request uses a separate connection, which can block for a long time, so it is sent on a background queue. While
/// one request is being sent, others are ignored. If the query ends before the request arrives, the next query on the
/// connection may be canceled instead.
package final class PostgresCanceller: Sendable {
    /// Frees libpq's cancel object when neither the connection nor a pending request refers to it.
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
        // The lock is not held meanwhile: closing the connection must not wait for a server that does not answer.
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
