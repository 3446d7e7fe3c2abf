import CoreDataSQL
import PostgresKit

extension PostgresSession {
    /// Runs a query; repeats it once on another connection if this one broke, or if it was cancelled by mistake: a
    /// request to cancel an earlier query may arrive late.
    ///
    /// Within a transaction the query is not repeated, since a transaction's snapshot is lost with its connection.
    /// - Parameter mayRepeat: whether no result of the block has been passed on yet.
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

    /// Unless a transaction is in progress: replaces a broken connection, and rolls back a failed transaction.
    func makeUsable() throws {
        guard !isBound else { return }
        if connection.transactionStatus == .failed { _ = try? connection.query("ROLLBACK") }
        if connection.isBroken { try reporting("be read") { try reconnect() } }
    }

    /// Whether the connection broke unexpectedly, rather than being closed because an answer took too long.
    var wasLost: Bool { connection.isBroken && connection.loss?.isConnectionLost != false }

    /// Whether a query failed because it was cancelled.
    static func isCancelled(_ error: any Error) -> Bool {
        if let error = error as? PostgresError { return error.kind == .cancelled }
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        return underlying?.domain == PostgresErrors.domain && underlying?.code == PostgresErrors.cancelled
    }
}
