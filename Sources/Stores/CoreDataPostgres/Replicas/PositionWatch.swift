import CoreDataSQL
import Dispatch
import PostgresKit
import Synchronization

/// Queries the primary server for the end of its log, as often as the greatest lag requires while there are readers; over a
/// connection of its own, so that it does not wait for saves or reads.
///
/// Invariant: `connection` is used only on `queue`.
final class PositionWatch: @unchecked Sendable {
    /// How long the server may take to answer.
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

    /// What a replica must have that is to answer now; nil where the server does not say.
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

    /// Makes all later reads see what precedes a position that was queried at a time; nil if the position is not known.
    func require(_ position: LogPosition?, askedAt time: ContinuousClock.Instant) {
        state.withLock { state in
            guard let position else { return state.positions.noteUnknown() }
            state.positions.note(position, askedAt: time, isFloor: true)
        }
    }

    /// Forgets the server, in whose place another may have come.
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
