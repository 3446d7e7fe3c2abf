import CoreDataSQL
import SQLiteKit

extension StoreFile: RowSaving {
    package func save(demand: KeyDemand, plan makePlan: (KeyGrant) throws -> SavePlan) throws -> SaveOutcome {
        derivedChanges = DerivedChanges()
        var wasCommitted = false
        defer {
            external.settle(wasCommitted: wasCommitted)
            derivedChanges = nil
        }
        do {
            let early = demand.isEmpty ? try makePlan(KeyGrant(firstByRoot: [:])) : nil
            if let early, early.isEmpty, !store.hasUnsavedMetadata { return .saved(derived: DerivedChanges()) }
            try reporting("be saved") {
                try connection.transaction(.immediate) {
                    try requireSameFile()
                    let plan = try early ?? makePlan(try grantKeys(demand))
                    var writer = PlanWriter(file: self)
                    try writer.write(plan)
                    try recordIdentifier()
                    try recordMetadata()
                }
            }
            wasCommitted = true
            provenVersion = connection.dataVersion
            checkedRoots.formUnion(demand.counts.keys)
            unrecordedIdentifier = nil
            store.hasUnsavedMetadata = false
            return .saved(derived: derivedChanges ?? DerivedChanges())
        } catch let refusal as SaveRefusal {
            return refusal.outcome
        }
    }

    package func reserveKeys(_ demand: KeyDemand) throws -> KeyGrant {
        let grant = try reporting("give out keys") {
            try connection.transaction(.immediate) { try grantKeys(demand) }
        }
        checkedRoots.formUnion(demand.counts.keys)
        return grant
    }

    // MARK: Keys

    /// The next keys after the greatest one ever given out, which `Z_PRIMARYKEY` remembers for each root entity.
    ///
    /// A record below the greatest key in the table is corrected; the end of the range is refused.
    private func grantKeys(_ demand: KeyDemand) throws -> KeyGrant {
        var first: [Int: Int64] = [:]
        for (root, count) in demand.counts {
            guard let mapping = rootMapping(root) else { continue }
            let greatest = try greatestKey(mapping, isChecked: checkedRoots.contains(root))
            let (last, overflow) = greatest.addingReportingOverflow(Int64(count))
            guard !overflow else { throw noKeysLeft(mapping) }
            first[root] = greatest + 1
            try record(greatestKey: last, of: mapping)
        }
        return KeyGrant(firstByRoot: first)
    }

    func record(greatestKey: Int64, of mapping: EntityMapping) throws {
        try connection.execute(
            "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, 0, ?3) "
                + "ON CONFLICT (Z_ENT) DO UPDATE SET Z_MAX = ?3",
            [.integer(Int64(mapping.number)), .text(mapping.name), .integer(greatestKey)])
    }

    func noKeysLeft(_ mapping: EntityMapping) -> NSError {
        CoreDataError.make(
            NSPersistentStoreSaveError,
            "The store '\(url.path)' cannot be saved: the table \(mapping.table) has used the last key there is.",
            hint: "Move the objects of the entity '\(mapping.name)' to a new store.")
    }

    /// The record alone is asked once a committed transaction has corrected it.
    func greatestKey(_ mapping: EntityMapping, isChecked: Bool) throws -> Int64 {
        let recorded =
            try connection.value(
                "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [.integer(Int64(mapping.number))])?.integer ?? 0
        guard !isChecked else { return max(0, recorded) }
        let table = SQLIdentifier.quoted(mapping.table)
        let actual = try connection.value("SELECT max(Z_PK) FROM \(table)")?.integer ?? 0
        return max(0, recorded, actual)
    }

    func rootMapping(_ root: Int) -> EntityMapping? {
        layouts.entities.first { $0.root == root }
            .flatMap { schema.entity(named: $0.entity.name ?? "") }
            .flatMap { schema.entity(number: $0.rootNumber) }
    }

    /// A file that was replaced under us, or got another store's content, must not be written to as if it were ours.
    func requireSameFile() throws {
        guard !connection.fileHasMoved else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The file '\(url.path)' was deleted, renamed or replaced while it was open.",
                hint: "Open the store again and save the objects there.")
        }
        guard connection.dataVersion != provenVersion, unrecordedIdentifier == nil else { return }
        let actual = try connection.value("SELECT Z_UUID FROM Z_METADATA LIMIT 1")?.text
        guard actual == store.identifier else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The store in the file '\(url.path)' was replaced by another while it was open.",
                hint: "Remove the store from the coordinator, add it again, and make the changes there.")
        }
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
    /// A file that can only be read is read as of the first question; others wait for it to be let go of.
    package func holdingWrites<Result>(_ body: () throws -> Result) throws -> Result {
        try reporting("be read") { try connection.transaction(isReadOnly ? .deferred : .immediate, body) }
    }
}

/// The plan does not fit what the store has: the transaction is taken back.
struct SaveRefusal: Error {
    let outcome: SaveOutcome
}

extension StoreFile: ObjectStore {}
