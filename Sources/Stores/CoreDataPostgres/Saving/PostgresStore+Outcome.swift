import CoreDataSQL
import PostgresKit

/// Commits transactions over connections that may break, and determines their outcomes.
extension PostgresStore {
    /// Runs the last statements of a transaction, writes its marker and its history, and commits it, in one round trip.
    ///
    /// Returns what the history recorded: nil if no history is recorded, and if the answer was lost although the
    /// transaction was committed.
    ///
    /// If the answer is lost, the marker that the transaction wrote shows whether it was committed.
    /// - Throws: the server's error; `SaveNotCommitted` if the connection broke and nothing was committed;
    ///   `NSPersistentStoreTimeoutError` if this cannot be determined in time.
    @discardableResult
    func commit(
        after statements: [PostgresStatement], recording record: ChangeRecord, by source: ChangeSource
    ) throws -> RecordedTransaction? {
        let mark = marker.next()
        let closing = try recordedHistory?.statements(record, by: source, marker: marker, shape: shape) ?? [mark]
        let time = ContinuousClock.now
        do {
            var results = try session.connection.pipeline(
                statements + closing + [PostgresStatement("COMMIT", [])] + positionQuestions)
            acknowledged.note(marker)
            if let replicaPool { replicaPool.require(LogPosition(results.popLast(), behind: marker), askedAt: time) }
            return RecordedTransaction(results[statements.count])
        } catch {
            guard session.connection.isBroken else {
                // If the error is of a statement after COMMIT, the transaction was committed.
                guard let place = error.statementIndex, place > statements.count + closing.count else { throw error }
                acknowledged.note(marker)
                replicaPool?.require(nil, askedAt: time)
                return nil
            }
            guard try wasCommitted(error) else { throw SaveNotCommitted(cause: error) }
            acknowledged.note(marker)
            replicaPool?.require(nil, askedAt: time)
            return nil
        }
    }

    private func wasCommitted(_ loss: PostgresError) throws -> Bool {
        do {
            try session.reconnect()
            return try session.withinTime { try marker.wasCommitted(session.connection) }
        } catch {
            pendingOutcome = marker
            marker.leave()
            throw unknown(loss)
        }
    }

    /// Determines the outcome of an earlier save, if it is unknown, before another save begins.
    ///
    /// - Throws: `NSPersistentStoreSaveError` if the earlier save was committed, once; `NSPersistentStoreTimeoutError`
    ///   if its outcome is still unknown.
    func requireKnownOutcome() throws {
        guard let pending = pendingOutcome else { return }
        if session.connection.isBroken { try session.reporting("be saved") { try session.reconnect() } }
        let wasCommitted = try session.reporting("be saved") {
            try session.withinTime { try pending.wasCommitted(session.connection) }
        }
        pendingOutcome = nil
        guard wasCommitted || !pending.isOutdated else { throw forgotten(pending) }
        guard wasCommitted else { return }
        replicaPool?.require(nil, askedAt: .now)
        throw CoreDataError.make(
            NSPersistentStoreSaveError,
            "The store '\(shape.location.publicURL.absoluteString)' is not saved: the save before, whose outcome was unknown, "
                + "was committed. Its changes are in the store, and the context has them as unsaved.",
            hint: "Reset the context, or fetch what it changed, before it saves again.")
    }

    /// Makes the error of a marker so old that other programs may have removed it, so that its absence proves nothing.
    private func forgotten(_ pending: SaveMarker) -> NSError {
        CoreDataError.make(
            NSPersistentStoreTimeoutError,
            "The store '\(shape.location.publicURL.absoluteString)' is not saved: the outcome of the save before is unknown, and its "
                + "mark, which told, is older than \(SaveMarker.daysKept) days.",
            hint: "Compare what the context has with what is in the store before it saves again.")
    }

    private func unknown(_ loss: PostgresError) -> NSError {
        let question = pendingOutcome?.question ?? ""
        return CoreDataError.make(
            NSPersistentStoreTimeoutError,
            "The store '\(shape.location.publicURL.absoluteString)' cannot tell whether it was saved: the connection broke "
                + "while the save was being committed, and the server did not answer since.",
            reason: "The outcome of the save is unknown.",
            hint:
                "Ask later: the next save finds out first, and so does '\(question)', which gives 1 if it was committed, for "
                + "\(SaveMarker.daysKept) days.",
            underlying: PostgresErrors.during("be saved", error: loss, location: shape.location))
    }
}

/// Thrown if the connection broke and the transaction was not committed.
struct SaveNotCommitted: Error {
    let cause: PostgresError
}
