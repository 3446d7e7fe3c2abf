import Dispatch
import Foundation
import LockKit

/// One connection, of which an input and an output stream are the ends. It is closed when both are, or are gone.
///
/// Invariants:
/// 1. `descriptor` is closed once, when it can no longer be used: by `deinit`, and what watches it holds this object.
/// 2. `state` goes from `idle` over `connecting` to `open` or `failed`, and never back.
final class SocketConnection: @unchecked Sendable {
    enum State {
        case idle, connecting
        case open(Int32)
        case failed(any Error)
    }

    private let condition = NSCondition()
    private var state: State
    private let connect: @Sendable () throws -> Int32
    private var waiting: [@Sendable () -> Void] = []

    /// A connection that exists.
    init(accepted descriptor: Int32) {
        state = .open(descriptor)
        connect = { descriptor }
    }

    /// A connection that is made when one of its streams is opened; `connect` is called then, once, on another thread.
    init(connect: @escaping @Sendable () throws -> Int32) {
        state = .idle
        self.connect = connect
    }

    deinit { if case .open(let descriptor) = state { close(descriptor) } }

    /// The present state.
    var current: State { condition.withLock { state } }

    /// Makes the connection if it is not made, and calls `done` when it is, or cannot be.
    func open(_ done: @escaping @Sendable () -> Void) {
        let isFirst: Bool? = condition.withLock {
            switch state {
            case .open, .failed: return nil
            case .idle:
                state = .connecting
                waiting.append(done)
                return true
            case .connecting:
                waiting.append(done)
                return false
            }
        }
        guard let isFirst else { return done() }
        guard isFirst else { return }
        DispatchQueue.global().async { [self] in
            let result = Result { try connect() }
            let calls = condition.withLock {
                switch result {
                case .success(let descriptor): state = .open(descriptor)
                case .failure(let error): state = .failed(error)
                }
                condition.broadcast()
                defer { waiting = [] }
                return waiting
            }
            for call in calls { call() }
        }
    }

    /// The descriptor, after a wait while the connection is made.
    ///
    /// - Throws: Why there is no connection.
    func descriptor() throws -> Int32 {
        try condition.withLock {
            while case .connecting = state { condition.wait() }
            switch state {
            case .open(let descriptor): return descriptor
            case .failed(let error): throw error
            case .idle, .connecting: throw POSIXError(.ENOTCONN)
            }
        }
    }

    /// Ends reading (`SHUT_RD`) or writing (`SHUT_WR`).
    func shut(_ side: Int32) {
        if case .open(let descriptor) = current { shutdown(descriptor, side) }
    }
}
