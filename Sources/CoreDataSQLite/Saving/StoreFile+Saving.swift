import CoreDataSQL
import SQLiteKit

extension StoreFile: RowSaving {
    package func save(_ plan: SavePlan) throws -> SaveOutcome {
        if plan.isEmpty, !store.hasUnsavedMetadata { return .saved(SaveReceipt()) }
        derivedChanges = DerivedChanges()
        var wasCommitted = false
        var transaction: Int64?
        defer {
            external.finish(wasCommitted: wasCommitted)
            keys.finish(wasCommitted: wasCommitted)
            derivedChanges = nil
            historyWriter?.finish(wasCommitted: wasCommitted)
        }
        do {
            try reporting("be saved") {
                try writing {
                    try requireSameFile()
                    try keys.claim(plan.keys)
                    var writer = PlanWriter(file: self)
                    try writer.write(plan)
                    try recordIdentifier()
                    try recordMetadata()
                    transaction = try historyWriter?.record(by: plan.source)
                }
            }
            wasCommitted = true
            noteCommit(transaction)
            store.hasUnsavedMetadata = false
            pool?.tellOfLongUses()
            return .saved(SaveReceipt(derived: derivedChanges ?? DerivedChanges(), transaction: transaction))
        } catch let refusal as SaveRefusal {
            return refusal.outcome
        }
    }

    package func lendKeys(_ demand: KeyDemand) throws -> KeyGrant {
        try reporting("give out keys") { try keys.lend(demand) }
    }

    package func returnKeys(_ grant: KeyGrant) { keys.takeBack(grant) }

    package func reserveKeys(_ demand: KeyDemand) throws -> KeyGrant {
        var wasCommitted = false
        defer { keys.finish(wasCommitted: wasCommitted) }
        let grant = try reporting("give out keys") {
            try writing { try keys.reserve(demand) }
        }
        wasCommitted = true
        return grant
    }

    func rootMapping(_ root: Int) -> EntityMapping? {
        layouts.entities.first { $0.root == root }
            .flatMap { schema.entity(named: $0.entity.name ?? "") }
            .flatMap { schema.entity(number: $0.rootNumber) }
    }

    /// A file that was replaced under us, or got another content, must not be written to as if it were ours.
    func requireSameFile() throws {
        guard !connection.fileHasMoved else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The file '\(url.path)' was deleted, renamed or replaced while it was open.",
                hint: "Open the store again and save the objects there.")
        }
        guard connection.dataVersion != proof.dataVersion, unrecordedIdentifier == nil else { return }
        let present = try StoreMetadata.marks(connection)
        guard present.identifier == store.identifier else { throw replaced("replaced by another") }
        try requireSameVersion(present.bytes)
        try requireLaterState()
    }

    /// A migrated store keeps its identity, but its columns and numbers of entities are no longer those of the model.
    private func requireSameVersion(_ metadata: Value?) throws {
        guard metadata != proof.metadata || metadata == nil else { return }
        let key = NSStoreModelVersionHashesKey
        let hashes = try StoreMetadata.read(connection, url).values[key] as? [String: Data]
        guard hashes == store.metadata?[key] as? [String: Data] else {
            throw replaced("migrated to another version of the model")
        }
        proof.metadata = metadata
    }

    /// An older copy has the identity and the version, but not the last transactions of the history; numbers are never
    /// given again.
    private func requireLaterState() throws {
        guard historyWriter != nil else { return }
        let newest = try HistoryKeys.greatest(.transaction, connection)
        guard newest >= proof.transaction else { throw replaced("replaced by an older copy of itself") }
        proof.note(transaction: newest)
    }

    private func replaced(_ what: String) -> NSError {
        CoreDataError.make(
            NSPersistentStoreSaveError, "The store in the file '\(url.path)' was \(what) while it was open.",
            hint: "Remove the store from the coordinator, add it again, and make the changes there.")
    }

    /// Notes what a commit of this connection has made of the file.
    func noteCommit(_ transaction: Int64?) {
        proof.dataVersion = connection.dataVersion
        if let transaction { proof.note(transaction: transaction) }
        unrecordedIdentifier = nil
    }

    func recordIdentifier() throws {
        guard let unrecordedIdentifier else { return }
        try connection.execute("UPDATE Z_METADATA SET Z_UUID = ?", [.text(unrecordedIdentifier)])
    }

    private func recordMetadata() throws {
        guard store.hasUnsavedMetadata else { return }
        // What the store says of itself may have been changed by another process meanwhile.
        let present = try StoreMetadata.read(connection, url)
        let values = MetadataRules.merged(store.metadata ?? [:], keeping: present.values)
        try StoreMetadata.rewrite(values, in: connection, url)
    }
}

extension StoreFile: WriteHolding {
    package var writeHolding: (any WriteHolding)? { self }

    /// A file that can only be read is read as of the first question; others wait for it to be let go of.
    package func holdingWrites<Result>(_ body: () throws -> Result) throws -> Result {
        try reporting("be read") { try connection.transaction(isReadOnly ? .deferred : .immediate, body) }
    }
}

/// The plan does not fit what the store has: the transaction is rolled back.
struct SaveRefusal: Error {
    let outcome: SaveOutcome
}

extension StoreFile: ObjectStore {}
