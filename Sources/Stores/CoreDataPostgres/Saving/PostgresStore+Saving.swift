import CoreDataSQL
import PostgresKit

extension PostgresStore: RowSaving {
    /// The maximum number of attempts for a save that the server aborts in favor of other transactions.
    private static let mostAttempts = 8

    package func checkOutKeys(_ demand: KeyDemand) throws -> KeyGrant {
        try session.answering { try session.reporting("give out keys") { try keys.checkOut(demand, session) } }
    }

    package func checkInKeys(_ grant: KeyGrant) { keys.checkIn(grant) }

    package func reserveKeys(_ demand: KeyDemand) throws -> KeyGrant { try checkOutKeys(demand) }

    /// Carries out a plan in one transaction: one round trip writes and reads results, and another commits. A small
    /// plan of which no results are needed takes a single round trip.
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
                    // After a failure, the next attempt reads the results of individual statements, which show what is
                    // wrong with the plan.
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
                // If the connection breaks here, the server rolls the transaction back itself.
                try? takeBack()
                return refusal.outcome
            }
        }
    }

    // MARK: Transactions

    /// The statement that begins a transaction, or a savepoint if saves are grouped.
    private var beginning: [PostgresStatement] {
        [PostgresStatement(isGroupingSaves ? "SAVEPOINT opencoredata_save" : "BEGIN", [])]
    }

    /// Commits, and sets the number of the history's transaction in the receipt.
    ///
    /// The changes of grouped saves are recorded together when their transaction ends, so their receipts have no
    /// number.
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

    /// Rolls back to the beginning of the transaction or savepoint.
    private func takeBack() throws {
        switch session.connection.transactionStatus {
        case .idle, .unknown: return
        default: _ = try session.query(isGroupingSaves ? "ROLLBACK TO SAVEPOINT opencoredata_save" : "ROLLBACK")
        }
    }

    /// Repeats a block that fails because of other transactions, or because the connection broke, unless it was
    /// committed.
    ///
    /// A value that another transaction wrote while this one checked for duplicates is found in the next attempt.
    private func repeated(_ body: (_ attempt: Int) throws -> Void) throws {
        var attempt = 1
        while true {
            // The data to write may depend on saves that were lost.
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
        // A request to cancel an earlier, finished query may arrive late.
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
            // An error of the rollback is ignored in favor of the first one. Keys allocated within the transaction are
            // invalid now.
            keys.forgetAll()
            if session.connection.transactionStatus != .idle { _ = try? session.query("ROLLBACK") }
            throw error
        }
    }
}
