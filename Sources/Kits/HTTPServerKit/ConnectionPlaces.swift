import CMicroHTTPD
import Dispatch
import Synchronization

/// Limits the connections of a server: idle connections do not use up the places of active ones, and one client address
/// cannot use up all places.
///
/// | a connection is | until | for at most |
/// |---|---|---|
/// | idle | all header fields of a request have arrived, however slowly | `idleSeconds` |
/// | busy | its request is answered, or the server wants more of its body | as long as the daemon allows |
/// | waiting for the body | a part of the body arrives | `bodySeconds`; then the answer is 408 |
/// | closing | the daemon has read the end of the stream, and closes the connection | |
///
/// When nine tenths of the places are taken, or an address has more connections than it may have, each new connection
/// closes an idle one: the longest idle one of that address if it has too many, else of the address with the most
/// connections. If no other connection is idle, the new one is closed.
package final class ConnectionPlaces: Sendable {
    /// The state of a connection, as in the table above.
    package enum Use: Sendable { case idle, busy, waitingForBody, closing }

    private struct Place: Sendable {
        let socket: Int32
        let address: UInt32
        var use = Use.idle
        /// The time at which the use began.
        var since = ContinuousClock.now
    }

    private struct State: Sendable {
        /// The places, by the names of their connections.
        var places: [UInt: Place] = [:]
        /// The number of connections of each address, without those that are being closed.
        var counts: [UInt32: Int] = [:]
        var isWatched = false
        var open: Int { counts.values.reduce(0, +) }
    }

    private static let timeout = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    package let limits: ServerLimits
    private let isEncrypted: Bool
    private let comfortable: Int
    private let queue = DispatchQueue(label: "HTTPServerKit.ConnectionPlaces")
    private let state = Mutex(State())

    /// - Parameter isEncrypted: Whether connections are of TLS, in which a text in clear would be no answer.
    package init(_ limits: ServerLimits, isEncrypted: Bool = false) {
        (self.limits, self.isEncrypted) = (limits, isEncrypted)
        comfortable = max(1, limits.connections - max(1, limits.connections / 10))
    }

    /// Records a new connection, and closes one if few places are left. For the daemon's thread.
    package func open(_ connection: ConnectionHandle) {
        let address = connection.address
        state.withLock { state in
            state.places[connection.name] = Place(socket: connection.socket, address: address)
            state.counts[address, default: 0] += 1
            watch(&state)
            if state.counts[address, default: 0] > limits.connectionsPerAddress {
                giveWay(&state) { $0.address == address }
            } else if state.open > comfortable {
                let most = state.counts.max { $0.value < $1.value }?.key
                if !giveWay(&state, where: { $0.address == most }) { giveWay(&state) { _ in true } }
            }
        }
    }

    /// Records the use of an open connection.
    package func set(_ connection: ConnectionHandle, _ use: Use) {
        state.withLock { state in
            guard let place = state.places[connection.name], place.use != .closing else { return }
            state.places[connection.name]?.use = use
            state.places[connection.name]?.since = .now
        }
    }

    /// Removes the record of a connection that the daemon is about to close. For the daemon's thread.
    package func close(_ connection: ConnectionHandle) {
        state.withLock { state in
            guard let place = state.places.removeValue(forKey: connection.name), place.use != .closing else { return }
            Self.uncount(place, &state)
        }
    }

    /// Closes the longest idle connection among those for which `isMeant` is true; returns false if none of them is
    /// idle.
    @discardableResult
    private func giveWay(_ state: inout State, where isMeant: (Place) -> Bool) -> Bool {
        let idle = state.places.filter { $0.value.use == .idle && isMeant($0.value) }
        guard let oldest = idle.min(by: { $0.value.since < $1.value.since })?.key else { return false }
        end(oldest, &state)
        return true
    }

    /// Shuts the socket down: the daemon reads the end of the stream, and closes the connection itself.
    private func end(_ name: UInt, _ state: inout State) {
        guard let place = state.places[name] else { return }
        if place.use == .waitingForBody, !isEncrypted {
            // No part of an answer has been sent, and none will be.
            _ = Array(Self.timeout.utf8).withUnsafeBytes {
                send(place.socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
        }
        shutdown(place.socket, Int32(SHUT_RDWR))
        Self.uncount(place, &state)
        state.places[name]?.use = .closing
    }

    private static func uncount(_ place: Place, _ state: inout State) {
        let count = state.counts[place.address, default: 0] - 1
        state.counts[place.address] = count > 0 ? count : nil
    }

    // MARK: Time

    /// Starts to close overdue connections periodically, until no connection is left.
    private func watch(_ state: inout State) {
        guard !state.isWatched else { return }
        state.isWatched = true
        let rest = max(0.05, min(1, limits.bodySeconds / 4))
        queue.asyncAfter(deadline: .now() + rest) { [weak self] in self?.endOverdue() }
    }

    private func endOverdue() {
        state.withLock { state in
            state.isWatched = false
            let now = ContinuousClock.now
            for (name, place) in state.places {
                let limit: Duration? =
                    switch place.use {
                    case .idle: .seconds(limits.idleSeconds)
                    case .waitingForBody: .seconds(limits.bodySeconds)
                    case .busy, .closing: nil
                    }
                if let limit, now - place.since > limit { end(name, &state) }
            }
            if !state.places.isEmpty { watch(&state) }
        }
    }
}
