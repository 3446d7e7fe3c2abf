import CPostgres
import Dispatch
import Synchronization

/// Has the server end what a connection is asking, from any thread.
///
/// The request goes over a connection of its own, which may take long to come about, so it is made on a thread of its own. What
/// has ended before it comes is not affected; what begins after it may be.
package final class PostgresCanceller: Sendable {
    private struct State: @unchecked Sendable { var handle: OpaquePointer? }

    private let state: Mutex<State>
    private static let queue = DispatchQueue(label: "CoreData.PostgresCanceller", attributes: .concurrent)

    init(_ connection: OpaquePointer) { state = Mutex(State(handle: PQgetCancel(connection))) }

    deinit { end() }

    package func cancel() {
        Self.queue.async { self.send() }
    }

    private func send() {
        // Held while it is used, so that closing the connection does not take it away.
        state.withLock { state in
            guard let handle = state.handle else { return }
            var message = [CChar](repeating: 0, count: 256)
            _ = PQcancel(handle, &message, Int32(message.count))
        }
    }

    func end() {
        state.withLock { state in
            PQfreeCancel(state.handle)
            state.handle = nil
        }
    }
}
