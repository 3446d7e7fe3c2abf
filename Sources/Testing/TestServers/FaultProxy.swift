import Foundation
import LockKit

/// A proxy between a program and a `PostgresServer` that injects faults into chosen round trips.
///
/// A round trip is all that a client sends before it waits for the server: its startup message, a simple query, or the
/// messages up to a Sync. The proxy counts round trips over all connections.
public final class FaultProxy: @unchecked Sendable {
    private struct State {
        var trips = 0
        var faults: [Int: WireFault] = [:]
        var everyFault: WireFault?
        var commitFault: (fault: WireFault, text: String)?
        var hits = 0
        var isRefusing = false
        var refusesAfterFault = false
        var isStopped = false
        var connections = 0
    }

    /// The folder with the proxy's socket.
    public let host: String
    private let server: PostgresServer
    private let listener: Int32
    private let state = Locked(State())
    private let threads = DispatchGroup()

    /// Starts to listen on a Unix socket.
    ///
    /// - Throws: an error if the socket cannot be created.
    public init(to server: PostgresServer) throws {
        self.server = server
        host = try PostgresServer.socketFolder()
        listener = try UnixSocket.listen(at: "\(host)/.s.PGSQL.5432")
        let (listener, threads) = (self.listener, self.threads)
        threads.enter()
        Thread.detachNewThread { [weak self] in
            FaultProxy.accept(listener) { self }
            threads.leave()
        }
    }

    deinit { stop() }

    /// Ends all connections and accepts no new ones.
    public func stop() {
        let wasStopped = state.withLock { state in
            defer { state.isStopped = true }
            return state.isStopped
        }
        guard !wasStopped else { return }
        shutdown(listener, Int32(SHUT_RDWR))
        _ = threads.wait(timeout: .now() + 10)
        close(listener)
        try? FileManager.default.removeItem(atPath: host)
    }

    /// The URL of a store in a schema, reached through the proxy.
    public func url(schema: String) -> URL { server.url(schema: schema, through: host) }

    // MARK: What goes wrong

    /// How many round trips have begun.
    public var trips: Int { state.withLock(\.trips) }

    /// How many round trips were broken.
    public var hits: Int { state.withLock(\.hits) }

    /// Injects a fault into one later round trip; `trip` 1 is the next one.
    public func arm(_ fault: WireFault, at trip: Int) {
        state.withLock { $0.faults[$0.trips + trip] = fault }
    }

    /// Injects a fault once: into the commit of a connection that has sent a request containing `text`.
    public func arm(_ fault: WireFault, atCommitAfter text: String) {
        state.withLock { $0.commitFault = (fault, text) }
    }

    /// Injects a fault into every later round trip; nil ends this.
    public func armAll(_ fault: WireFault?) { state.withLock { $0.everyFault = fault } }

    /// Removes all armed faults.
    public func disarm() {
        state.withLock { state in
            state.faults = [:]
            state.everyFault = nil
            state.commitFault = nil
        }
    }

    /// Whether the proxy closes new connections at once.
    public var isRefusing: Bool {
        get { state.withLock(\.isRefusing) }
        set { state.withLock { $0.isRefusing = newValue } }
    }

    /// Whether the proxy sets `isRefusing` at the next fault.
    public var refusesAfterFault: Bool {
        get { state.withLock(\.refusesAfterFault) }
        set { state.withLock { $0.refusesAfterFault = newValue } }
    }

    /// Ends all current connections, including stalled ones whose client was killed.
    public func endConnections() { state.withLock { $0.connections += 1 } }

    private static func accept(_ listener: Int32, _ proxy: () -> FaultProxy?) {
        while true {
            let client = UnixSocket.accept(listener)
            guard client >= 0 else { return }
            guard let proxy = proxy(), !proxy.isStopped, !proxy.isRefusing,
                let server = try? UnixSocket.connect(to: "\(proxy.server.host)/.s.PGSQL.5432")
            else {
                close(client)
                continue
            }
            let threads = proxy.threads
            threads.enter()
            Thread.detachNewThread { [weak proxy] in
                FaultProxyConnection(client, server: server) { proxy }.run()
                threads.leave()
            }
        }
    }
}

// Queries of the proxy's connections.
extension FaultProxy: FaultSource {
    var isStopped: Bool { state.withLock(\.isStopped) }

    var connections: Int { state.withLock(\.connections) }

    var awaitedText: String? { state.withLock { $0.commitFault?.text } }

    func beginTrip(isAwaited: Bool) -> WireFault? {
        state.withLock { state in
            state.trips += 1
            var fault = state.faults.removeValue(forKey: state.trips) ?? state.everyFault
            if isAwaited, let commitFault = state.commitFault.take() { fault = commitFault.fault }
            if fault != nil {
                state.hits += 1
                state.isRefusing = state.isRefusing || state.refusesAfterFault
            }
            return fault
        }
    }
}
