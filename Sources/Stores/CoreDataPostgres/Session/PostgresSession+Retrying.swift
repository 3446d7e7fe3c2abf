import CoreDataSQL
import PostgresKit

extension PostgresSession {
    /// Runs a question, once more on another connection where this one broke, and once more where it was cancelled by
    /// mistake: a request to cancel what came before may arrive late.
    ///
    /// Within a transaction that has begun it is run once: what that saw is gone with its connection.
    /// - Parameter mayRepeat: whether the results of the block have not been reported yet.
    func answering<Result>(mayRepeat: @autoclosure () -> Bool = true, _ body: () throws -> Result) throws -> Result {
        try makeUsable()
        do {
            return try body()
        } catch {
            guard !isBound, mayRepeat(), ReadCancellation.current?.isCancelled != true else { throw error }
            if wasLost {
                try reporting("be read") { try reconnect() }
            } else if !Self.isCancelled(error) {
                throw error
            }
            return try body()
        }
    }

    /// Outside of a transaction that has begun: takes another connection in place of one that broke, and ends a transaction that
    /// was left in pieces.
    func makeUsable() throws {
        guard !isBound else { return }
        if connection.transactionStatus == .failed { _ = try? connection.query("ROLLBACK") }
        if connection.isBroken { try reporting("be read") { try reconnect() } }
    }

    /// Whether the connection broke unexpectedly, rather than being closed because an answer took too long.
    var wasLost: Bool { connection.isBroken && connection.loss?.isConnectionLost != false }

    /// Whether a question failed because it was cancelled.
    static func isCancelled(_ error: any Error) -> Bool {
        if let error = error as? PostgresError { return error.kind == .cancelled }
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        return underlying?.domain == PostgresErrors.domain && underlying?.code == PostgresErrors.cancelled
    }
}
