import CMicroHTTPD
import CoreDataSyncHub
import Dispatch
import HTTPServerKit
import Synchronization

/// One request and its answer, between the daemon's thread and those that work on the disk.
///
/// | stage | until |
/// |---|---|
/// | begun | the header fields have arrived |
/// | accepted | the daemon calls again: it closes a connection whose request is answered before its end |
/// | receiving | the item is whole |
/// | discarding | the rest of the body of a refused request has arrived |
/// | working | the disk is done, or the group has changed; the connection is suspended |
/// | ready | the answer is given to the daemon |
/// | over | the daemon ends the request |
///
/// The connection is suspended only while the stage is `working`, and is resumed when it is left.
final class HubExchange: Sendable {
    enum Stage: Sendable {
        case begun
        case accepted(HubRequest)
        case receiving(Upload)
        case discarding(HubAnswer)
        case working
        case ready(HubAnswer)
        case over
    }

    struct State: Sendable {
        var stage = Stage.begun
        /// The client's key; nil over plain HTTP.
        var key: KeyPin?
        var isSuspended = false
        var discarded = 0
    }

    /// Identifies the exchange among all of a hub.
    let number: UInt64
    /// Path and query as received; nil if they are not UTF-8.
    let target: String?
    let connection: ConnectionHandle
    let core: HubCore
    let state = Mutex(State())

    init(_ number: UInt64, target: String?, _ connection: ConnectionHandle, _ core: HubCore) {
        (self.number, self.target, self.connection, self.core) = (number, target, connection, core)
    }

    /// Answers a request whose work is done; from any thread.
    func finish(_ answer: HubAnswer) {
        state.withLock { state in
            guard case .working = state.stage else { return }
            state.stage = .ready(answer)
            resume(&state)
        }
    }

    /// Ends the exchange without an answer; from any thread.
    func abandon() {
        let former = state.withLock { state in
            defer {
                state.stage = .over
                resume(&state)
            }
            return state.stage
        }
        if case .receiving(let upload) = former { core.storage.abandon(upload) }
    }

    /// Lets others work; to be called by the daemon's thread, with the state locked.
    func suspend(_ state: inout State, _ work: @escaping @Sendable () -> Void) {
        state.stage = .working
        state.isSuspended = true
        core.places.set(connection, .busy)
        connection.suspend()
        core.queue.async(execute: work)
    }

    private func resume(_ state: inout State) {
        guard state.isSuspended else { return }
        state.isSuspended = false
        connection.resume()
    }
}
