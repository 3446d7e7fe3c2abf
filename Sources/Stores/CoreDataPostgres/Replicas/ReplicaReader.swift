import CoreDataSQL
import PostgresKit

/// Answers queries of one thread from one replica: a single query, or those of one fetch from one snapshot.
///
/// Each transaction begins with the condition that the replica is recent enough (`PostgresConnection.condition`). If it
/// is not, the reader waits as long as a replica with a small lag needs. Any failure except a timeout is thrown as
/// `ReplicaRefusal`: the caller then tries another replica.
final class ReplicaReader: SessionReader {
    private enum State {
        case none
        case wanted
        case held
    }

    /// The pauses between attempts in microseconds, each twice as long as the one before; 31 ms in total.
    private static let pauses: [UInt32] = [1_000, 2_000, 4_000, 8_000, 16_000]

    private let session: PostgresSession
    private let pool: ReplicaPool
    let host: Int
    let birth: ContinuousClock.Instant
    private var state = State.none
    private(set) var answerCount = 0
    private(set) var hasRefused = false

    init(_ session: PostgresSession, _ pool: ReplicaPool, host: Int, born birth: ContinuousClock.Instant) {
        self.session = session
        self.pool = pool
        self.host = host
        self.birth = birth
    }

    var connection: PostgresConnection { session.connection }

    func holdState(atOnce: Bool) throws {
        state = .wanted
        if atOnce { try answering { _ in } }
    }

    func holdState(of past: PastState) throws {
        throw CoreDataError.make(
            NSPersistentStoreUnsupportedRequestTypeError,
            "A replica of the store '\(session.shape.location.publicURL.absoluteString)' cannot be read as it was.",
            hint: "Read it as it is.")
    }

    func release() {
        if connection.transactionStatus != .idle { _ = try? connection.query("ROLLBACK") }
        pool.checkIn(self)
    }

    private func begin() throws {
        _ = try session.reporting("be read") {
            try connection.pipeline([
                PostgresStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"), PostgresStatement("SELECT 1"),
            ])
        }
        (state, session.isBound) = (.held, true)
    }

    func answering<Result>(_ body: (PostgresSession) throws -> Result) throws -> Result {
        var pauses = Self.pauses[...]
        while true {
            do {
                if state == .wanted { try begin() }
                let result = try body(session)
                answerCount += 1
                return result
            } catch {
                guard ReadCancellation.current?.isCancelled != true, !isLate(error) else { throw error }
                if connection.isConditionUnmet, connection.takesNoWrites, let pause = pauses.popFirst() {
                    if connection.transactionStatus != .idle { _ = try? connection.query("ROLLBACK") }
                    usleep(pause)
                    continue
                }
                hasRefused = true
                throw ReplicaRefusal(error)
            }
        }
    }

    /// Whether the error means that the program's time limit for an answer has passed.
    private func isLate(_ error: any Error) -> Bool {
        !PostgresSession.isCancelled(error) && (error as NSError).userInfo["SQLSTATE"] as? String == "57014"
    }

    var interruption: (@Sendable () -> Void)? {
        let canceller = connection.canceller
        return { canceller.cancel() }
    }
}
