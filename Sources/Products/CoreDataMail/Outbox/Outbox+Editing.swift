import CoreDataGraph
import LockKit

extension Outbox {
    /// Takes a message back that is not being sent.
    ///
    /// - Throws: ``MailError`` with `cancelled` if it is not there, or it is too late.
    public func cancel(_ id: UUID) throws {
        try edit(id, from: [.queued, .failed, .unknown]) { $0.state = .cancelled }
    }

    /// Sends a message again at the next ``drain(at:)``, to those who have not got it: one that failed, was taken back, or waits.
    ///
    /// For a message whose outcome is unknown this is the decision that it may arrive twice. Recipients that were refused for good
    /// are tried again too.
    ///
    /// - Throws: ``MailError`` with `cancelled` if it is not there, was sent, or is being sent.
    public func retry(_ id: UUID, at date: Date = Date()) throws {
        try edit(id, from: [.queued, .failed, .unknown, .cancelled]) { row in
            row.pending += row.refused.map(\.address)
            (row.refused, row.state, row.nextAttempt) = ([], .queued, date)
        }
    }

    /// Removes a message and its file, unless it is being sent.
    ///
    /// - Throws: ``MailError`` with `cancelled` if it is not there, or is being sent.
    public func remove(_ id: UUID) throws {
        let states = OutboxItem.State.allCases.filter { $0 != .sending && $0 != .committing }
        try edit(id, from: states) { $0.object.managedObjectContext?.delete($0.object) }
        try? FileManager.default.removeItem(at: file(of: id))
    }

    private func edit(_ id: UUID, from states: [OutboxItem.State], _ body: (OutboxRow) -> Void) throws {
        func late(_ state: String) -> MailError {
            MailError(.cancelled, "the message is \(state)", hint: "look at the outbox again")
        }
        do {
            try change(id) { row in
                guard states.contains(row.state) else { throw late(row.state.rawValue) }
                body(row)
            }
        } catch let error as CocoaError where error.code == .managedObjectMerge { throw late("being sent") }
    }

    /// Drains the outbox now and again on a queue of its own, when messages are due, until ``stop()``.
    ///
    /// - Parameters:
    ///   - interval: The longest wait between two looks, in seconds: messages that another process puts in are seen then.
    ///   - report: Called on that queue after each run.
    public func start(
        every interval: TimeInterval = 60, report: (@Sendable (Result<OutboxRun, any Error>) -> Void)? = nil
    ) {
        let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "outbox"))
        source.setEventHandler { [weak self] in
            guard let self else { return }
            let result = Result { try self.drain() }
            report?(result)
            let due = ((try? result.get())?.nextAttempt ?? .distantFuture).timeIntervalSinceNow
            source.schedule(deadline: .now() + .milliseconds(Int(max(0.05, min(interval, due)) * 1_000)))
        }
        source.schedule(deadline: .now())
        timer.withLock { current in
            current?.cancel()
            current = source
        }
        source.resume()
    }

    /// Ends what ``start(every:report:)`` began; a message that is being sent is sent to its end.
    public func stop() {
        timer.withLock { current in
            current?.cancel()
            current = nil
        }
    }
}
