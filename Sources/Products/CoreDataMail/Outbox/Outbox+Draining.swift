import CoreDataGraph

/// What a run over an outbox did.
public struct OutboxRun: Sendable, Hashable {
    /// The messages that were sent to all recipients.
    public var sent: [UUID] = []
    /// The messages for which no further attempt is made.
    public var failed: [UUID] = []
    /// The messages that may have been sent.
    public var unknown: [UUID] = []
    /// The messages that are tried again later.
    public var deferred: [UUID] = []
    /// Whether another process, or another thread, was sending, so that nothing was done.
    public var wasBusy = false
    /// When the next message is due; nil if none waits.
    public var nextAttempt: Date?
}

extension Outbox {
    /// Sends the messages that are due, one after the other, and waits.
    ///
    /// - Parameter date: The time to take for now.
    /// - Returns: What was done. A message that fails is in it, and is no reason to throw.
    /// - Throws: An error of the store; ``MailError`` with `unusableFile` if the lock cannot be made.
    @discardableResult
    public func drain(at date: Date = Date()) throws -> OutboxRun {
        guard draining.try() else { return OutboxRun(wasBusy: true) }
        defer { draining.unlock() }
        guard let lock = try FolderLock(folder.appendingPathComponent("Outbox.lock")) else {
            return OutboxRun(wasBusy: true)
        }
        defer { lock.release() }
        var run = OutboxRun()
        try recover(&run)
        if transport.canSend {
            let due = try perform { context in
                try rows(
                    in: context, where: NSPredicate(format: "state == 'queued' AND nextAttempt <= %@", date as NSDate)
                )
                .compactMap(\.id)
            }
            for id in due { try send(id, at: date, &run) }
        }
        run.nextAttempt = try nextAttempt()
        try removeStrayFiles(before: date.addingTimeInterval(-86_400))
        return run
    }

    /// When the next message is due; nil if none waits.
    public func nextAttempt() throws -> Date? {
        try perform { context in
            try rows(in: context, where: NSPredicate(format: "state == 'queued'")).map(\.nextAttempt).min()
        }
    }

    /// What a process left that ended while it was sending: only one holds the lock, so no other is at it.
    private func recover(_ run: inout OutboxRun) throws {
        run.unknown += try perform { context in
            var unknown: [UUID] = []
            for row in try rows(in: context, where: NSPredicate(format: "state IN {'sending', 'committing'}")) {
                if row.state == .committing, let id = row.id {
                    unknown.append(id)
                    (row.state, row.lastError) = (.unknown, "the program ended while the message was being handed over")
                } else {
                    row.state = .queued
                }
            }
            if context.hasChanges { try context.save() }
            return unknown
        }
    }

    private func send(_ id: UUID, at date: Date, _ run: inout OutboxRun) throws {
        // Claimed by a save that fails if anyone has changed the row since: taken back, or removed.
        let mail: MailFile?
        do {
            mail = try change(id) { row in
                guard row.state == .queued else { return nil }
                (row.state, row.attempts) = (.sending, row.attempts + 1)
                return try row.mail(file(of: id))
            }
        } catch let error as MailError where error.code == .cancelled {
            return
        } catch let error as MailError {
            return try finish(id, .failure(error), at: date, &run)
        } catch let error as CocoaError where error.code == .managedObjectMerge {
            return
        }
        guard let mail else { return }
        let result = Result {
            try transport.deliver(mail) { try change(id) { $0.state = .committing } }
        }
        try finish(id, result, at: date, &run)
    }

    /// Writes down what became of a message.
    private func finish(_ id: UUID, _ result: Result<MailDelivery, any Error>, at date: Date, _ run: inout OutboxRun)
        throws
    {
        let state = try change(id) { row in
            switch result {
            case .success(let delivery):
                row.accepted += delivery.accepted
                settle(row, refused: delivery.refused, error: delivery.error, at: date)
            case .failure(let error as MailError) where error.code == .outcomeUnknown:
                (row.state, row.lastError) = (.unknown, error.description)
            case .failure(let error as MailError) where error.code == .recipientsRefused:
                settle(row, refused: error.refused, error: error, at: date)
            case .failure(let error):
                let mayPass = (error as? MailError)?.isTemporary ?? (row.state == .sending)
                postpone(row, mayPass: mayPass, at: date)
                row.lastError = "\(error)"
            }
            return row.state
        }
        switch state {
        case .sent:
            run.sent.append(id)
            if !keepsSentMessages { try? FileManager.default.removeItem(at: file(of: id)) }
        case .failed: run.failed.append(id)
        case .unknown: run.unknown.append(id)
        case .queued: run.deferred.append(id)
        default: break
        }
    }

    /// Those who were refused for now are tried again, the others are done.
    private func settle(_ row: OutboxRow, refused: [RefusedRecipient], error: MailError?, at date: Date) {
        row.refused += refused.filter { !$0.isTemporary }
        row.pending = refused.filter(\.isTemporary).map(\.address)
        row.lastError = error?.description
        if row.pending.isEmpty {
            row.state = row.refused.isEmpty ? .sent : .failed
        } else {
            postpone(row, mayPass: true, at: date)
        }
    }

    private func postpone(_ row: OutboxRow, mayPass: Bool, at date: Date) {
        row.nextAttempt = date.addingTimeInterval(backOff.wait(after: row.attempts))
        let isTooOld = row.nextAttempt.timeIntervalSince(row.created) > backOff.givesUpAfter
        row.state = mayPass && !isTooOld ? .queued : .failed
    }

    /// Changes a row and saves it; a conflict with another context is an error.
    @discardableResult
    func change<Value>(_ id: UUID, _ body: (OutboxRow) throws -> Value) throws -> Value {
        try perform { context in
            guard let row = try row(id, in: context) else {
                throw MailError(.cancelled, "the message is no longer in the outbox", hint: "put it in again")
            }
            let value = try body(row)
            if context.hasChanges { try context.save() }
            return value
        }
    }

    /// Files of messages that were never put in, since the program ended before.
    private func removeStrayFiles(before date: Date) throws {
        let known = Set(
            try perform { context in try rows(in: context).compactMap(\.id) }.map { file(of: $0).lastPathComponent })
        let all = try FileManager.default.contentsOfDirectory(
            at: folder.appendingPathComponent("Messages"), includingPropertiesForKeys: [.contentModificationDateKey])
        for url in all where !known.contains(url.lastPathComponent) {
            let changed = try? url.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
            if let changed, changed < date { try? FileManager.default.removeItem(at: url) }
        }
    }
}
