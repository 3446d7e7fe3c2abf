import CoreDataSQL
import PostgresKit

extension PostgresStore: RowSaving {
    /// How often a save is made again that the server took back for the sake of another one.
    private static let mostAttempts = 8

    package func checkOutKeys(_ demand: KeyDemand) throws -> KeyGrant {
        try session.answering { try session.reporting("give out keys") { try keys.checkOut(demand, session) } }
    }

    package func checkInKeys(_ grant: KeyGrant) { keys.checkIn(grant) }

    package func reserveKeys(_ demand: KeyDemand) throws -> KeyGrant { try checkOutKeys(demand) }

    /// Carries out a plan in one transaction: one round trip that writes and looks, one that commits; for few rows of which nothing has
    /// to be looked at, one that does both.
    package func save(_ plan: SavePlan) throws -> SaveOutcome {
        if plan.isEmpty, !shape.store.hasUnsavedMetadata { return .saved(SaveReceipt()) }
        session.connection.noticeLoss()
        try session.makeUsable()
        try requireKnownOutcome()
        let metadata = shape.store.hasUnsavedMetadata ? try session.answering { try changedMetadata() } : nil
        return try session.reporting("be saved") {
            do {
                var receipt = SaveReceipt()
                try repeated { attempt in
                    let recording = recordedHistory.map {
                        PlanRecording(plan, session: session, properties: $0.properties)
                    }
                    var writer = PostgresPlanWriter(plan, session, recording: recording)
                    // What is wrong with a plan is told by the answers, one by one.
                    if attempt == 1, metadata == nil, !isGroupingSaves, let statements = try writer.provenStatements() {
                        let record = writer.recording?.record ?? ChangeRecord()
                        return try end(with: beginning + statements, record, source: plan.source, receipt: &receipt)
                    }
                    receipt.derived = try writer.write(after: beginning)
                    let rewriting = metadata.map { [PostgresMetadata.rewriting($0.bytes, shape.schema)] } ?? []
                    try end(
                        with: rewriting, writer.recording?.record ?? ChangeRecord(), source: plan.source,
                        receipt: &receipt)
                }
                if let metadata { finishMetadata(metadata.entries) }
                return .saved(receipt)
            } catch let refusal as SaveRefusal {
                // A connection that breaks here has taken it back too.
                try? takeBack()
                return refusal.outcome
            }
        }
    }

    // MARK: Transactions

    /// What opens a transaction, or within one a part of it that can be taken back.
    private var beginning: [PostgresStatement] {
        [PostgresStatement(isGroupingSaves ? "SAVEPOINT opencoredata_save" : "BEGIN", [])]
    }

    /// Commits, and notes the number that the history gives to what was changed.
    ///
    /// What grouped saves change is recorded together when their transaction ends; they give no number.
    private func end(
        with statements: [PostgresStatement], _ record: ChangeRecord, source: ChangeSource,
        receipt: inout SaveReceipt
    ) throws {
        guard !isGroupingSaves else {
            _ = try session.connection.pipeline(
                statements + [PostgresStatement("RELEASE SAVEPOINT opencoredata_save", [])])
            grouped.note(record, by: source)
            return
        }
        let recorded = try commit(after: statements, recording: record, by: source)
        receipt.transaction = recorded?.number
        receipt.isPreceded = recorded?.isPreceded ?? false
        acknowledged.describe(source, transaction: recorded?.number)
        if !record.isEmpty { changeSignal?.noteCommit() }
    }

    /// Takes back what was written since the beginning.
    private func takeBack() throws {
        switch session.connection.transactionStatus {
        case .idle, .unknown: return
        default: _ = try session.query(isGroupingSaves ? "ROLLBACK TO SAVEPOINT opencoredata_save" : "ROLLBACK")
        }
    }

    /// Runs a block again that fails because of other transactions, or because the connection broke, if nothing of it was
    /// committed.
    ///
    /// A value that another transaction wrote while this one looked is found in the next attempt.
    private func repeated(_ body: (_ attempt: Int) throws -> Void) throws {
        var attempt = 1
        while true {
            // What is to be written may rest on what is not there any more.
            try requireNothingLost()
            do {
                return try body(attempt)
            } catch let error as SaveNotCommitted {
                guard attempt < Self.mostAttempts else { throw error.cause }
            } catch let error as PostgresError {
                try? takeBack()
                guard !isGroupingSaves, attempt < Self.mostAttempts, mayBeRepeated(error, attempt) else { throw error }
                if session.connection.isBroken { try session.reconnect() }
            }
            attempt += 1
        }
    }

    private func mayBeRepeated(_ error: PostgresError, _ attempt: Int) -> Bool {
        if session.connection.isBroken { return session.wasLost }
        // A request to cancel a question that was answered may arrive late.
        return error.mayBeRetried || error.breaksUniqueness
            || (error.kind == .cancelled || error.sqlState == PostgresPlanWriter.unproven) && attempt == 1
    }

    // MARK: Metadata

    private func changedMetadata() throws -> (entries: [String: Any], bytes: [UInt8]) {
        try session.reporting("be saved") {
            let present = try PostgresMetadata.read(session.connection, schema: shape.schema, location: shape.location)
            let entries = MetadataRules.changes(
                from: knownMetadata, to: MetadataRules.ownKeys(of: shape.store.metadata ?? [:]),
                appliedTo: MetadataRules.ownKeys(of: present.values))
            let written = MetadataRules.written(entries, of: shape.store.metadata ?? [:], keeping: present.values)
            return (entries, try PostgresMetadata.bytes(of: written, shape.location))
        }
    }

    private func finishMetadata(_ entries: [String: Any]) {
        knownMetadata = entries
        shape.store.metadata = MetadataRules.merged(entries, keeping: shape.store.metadata ?? [:])
        shape.store.hasUnsavedMetadata = false
    }
}

extension PostgresStore: SaveGrouping {
    package var saveGrouping: (any SaveGrouping)? { self }

    package func savingTogether<Result>(_ body: () throws -> Result) throws -> Result {
        try requireKnownOutcome()
        try session.answering { try session.reporting("be saved") { _ = try session.query("BEGIN") } }
        do { try requireNothingLost() } catch {
            _ = try? session.query("ROLLBACK")
            throw error
        }
        (isGroupingSaves, session.isBound) = (true, true)
        defer {
            (isGroupingSaves, session.isBound) = (false, false)
            grouped = GroupedRecord()
        }
        do {
            let result = try body()
            try session.reporting("be saved") {
                do {
                    try commit(after: [], recording: grouped.record, by: grouped.source)
                } catch let error as SaveNotCommitted {
                    throw error.cause
                }
            }
            changeSignal?.noteCommit()
            return result
        } catch {
            // The first error is the telling one. Keys that were recorded within the transaction are not any more.
            keys.forgetAll()
            if session.connection.transactionStatus != .idle { _ = try? session.query("ROLLBACK") }
            throw error
        }
    }
}
