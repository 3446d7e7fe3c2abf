import CoreDataSQL
import Dispatch
import PostgresKit
import Synchronization

/// Queries the primary server for the end of its log, as often as the maximum lag requires while there are reads;
/// through its own connection, so that it does not wait for saves or reads.
///
/// Invariant: `connection` is accessed only on `queue`.
final class PositionWatch: @unchecked Sendable {
    /// The time limit for the server's answer.
    private static let patience = Duration.seconds(3)

    private struct State {
        var positions: PrimaryPositions
        var isAsking = false
        var isClosed = false
    }

    private let connector: PostgresConnector
    private let queue = DispatchQueue(label: "CoreData.PositionWatch")
    private let state: Mutex<State>
    private var connection: PostgresConnection?

    init(_ connector: PostgresConnector, greatestLag: Duration) {
        self.connector = connector
        state = Mutex(State(positions: PrimaryPositions(greatestLag: greatestLag)))
    }

    /// Returns the position that a replica must have reached in order to answer now; nil if the primary server does not
    /// answer.
    func required() -> LogPosition? {
        let (known, isDue) = state.withLock { state in
            let known = state.positions.required()
            let isDue = known != nil && state.positions.isAging() && !state.isAsking && !state.isClosed
            if isDue { state.isAsking = true }
            return (known, isDue)
        }
        if isDue {
            queue.async { [self] in
                ask()
                state.withLock { $0.isAsking = false }
            }
        }
        if let known { return known }
        return queue.sync {
            if let known = state.withLock({ $0.positions.required() }) { return known }
            ask()
            return state.withLock { $0.positions.required() }
        }
    }

    /// Makes all later reads see what precedes a position that was queried at `time`; nil if the position is not known.
    func require(_ position: LogPosition?, askedAt time: ContinuousClock.Instant) {
        state.withLock { state in
            guard let position else { return state.positions.noteUnknown() }
            state.positions.note(position, askedAt: time, isFloor: true)
        }
    }

    /// Discards all positions, since another server may have replaced the primary.
    func forget() {
        state.withLock { $0.positions.forget() }
        queue.async { self.disconnect() }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        queue.async { self.disconnect() }
    }

    private func disconnect() {
        connection?.close()
        connection = nil
    }

    private func ask() {
        guard !state.withLock({ $0.isClosed }) else { return }
        if connection?.isBroken != false {
            connection = try? connector.connect(within: Self.patience)
            connection?.statementTimeout = Self.patience
            connection?.opening = nil
        }
        guard let connection else { return }
        let time = ContinuousClock.now
        guard let answer = try? connection.pipeline([LogPosition.question]), let position = LogPosition(answer.first)
        else {
            return disconnect()
        }
        state.withLock { $0.positions.note(position, askedAt: time) }
    }
}
