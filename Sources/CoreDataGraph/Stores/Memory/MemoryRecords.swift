import CoreDataStore

/// The store contract on records in memory, for every store that keeps its records there.
///
/// Confined like its store: one thread at a time.
package final class MemoryRecords: ObjectStore {
    package let tables: RecordTables
    private unowned let store: NSPersistentStore
    private let records: MemoryHistory?

    package init(store: NSPersistentStore, model: ModelLayout) {
        self.store = store
        tables = RecordTables(model: model, bindings: model.entities.map { store.binding(for: $0) })
        records = store.isToldToTrackHistory ? MemoryHistory(model) : nil
    }

    package var history: (any HistoryKeeping)? { records }

    private func checkKept(_ binding: EntityBinding) throws {
        let entity = binding.layout.entity
        guard store.keeps(entity, of: tables.model.model) else {
            throw CoreDataError.make(
                NSCoreDataError, "The store does not keep entity '\(entity.name ?? "")'.",
                hint: "Its configuration leaves the entity out.")
        }
    }
}

extension MemoryRecords: RowFetching {
    package func fetch(_ query: FetchQuery) throws -> FetchedRows {
        try checkKept(query.binding)
        let runs = try RecordQuery(query, of: tables, storeIdentifier: store.identifier).runs()
        guard !query.includesValues else { return .rows(runs) }
        var addresses = AddressList()
        for run in runs {
            for index in run.range { addresses.append(run.slab.key(index), of: run.slab.binding) }
        }
        return .addresses(addresses)
    }

    package func count(_ query: FetchQuery) throws -> Int {
        try checkKept(query.binding)
        return try RecordQuery(query, of: tables, storeIdentifier: store.identifier).count()
    }
}

extension MemoryRecords {
    package func values(_ query: ValueQuery, _ body: (ValueTable) -> Void) throws {
        try checkKept(query.binding)
        do {
            body(try RecordValues(query, of: tables, storeIdentifier: store.identifier).table())
        } catch let error as ExpressionError {
            throw CoreDataError.make(NSCoreDataError, error.description, underlying: error)
        }
    }
}

extension MemoryRecords: RowFaulting {
    package func rows(of binding: EntityBinding, keys: [Int64]) throws -> [RowRun] {
        try checkKept(binding)
        return RowOrder.runs(keys.compactMap { tables.row(root: binding.layout.root, key: $0) })
    }

    package func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, key: Int64
    ) throws -> AddressList {
        var members = AddressList()
        guard let destination = relationship.destinationEntity.flatMap(tables.model.layout(of:)) else { return members }
        for member in tables.members(of: relationship, owner: key) {
            guard let row = tables.row(root: destination.root, key: member) else { continue }
            members.append(member, of: row.slab.binding)
        }
        return members
    }
}

extension MemoryRecords {
    package func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, keys: [Int64]
    ) throws -> MemberRows {
        guard let destination = relationship.destinationEntity.flatMap(tables.model.layout(of:)) else {
            return MemberRows()
        }
        var found = MemberRows()
        var seen: Set<Int64> = []
        var rows: [RowSnapshot] = []
        for key in keys {
            for member in tables.members(of: relationship, owner: key) {
                guard let row = tables.row(root: destination.root, key: member) else { continue }
                if seen.insert(member).inserted { rows.append(row) }
                found.pairs.append((key, member))
            }
        }
        found.rows = RowOrder.runs(rows)
        return found
    }
}

extension MemoryRecords: RowSaving {
    package var isReadOnly: Bool { store.isReadOnly }

    package func save(_ plan: SavePlan) throws -> SaveOutcome {
        let outcome = tables.save(plan, recordingIn: records)
        if case .saved = outcome { publishMadeSlabs() }
        return outcome
    }

    package func lendKeys(_ demand: KeyDemand) throws -> KeyGrant { try tables.grantKeys(demand) }

    package func returnKeys(_ grant: KeyGrant) { tables.takeBack(grant) }

    private func publishMadeSlabs() {
        // All rows of these slabs are the newest at this moment, and perhaps never again.
        for slab in tables.takeMadeSlabs() { store.rowCache.publish(slab) }
    }

    package func reserveKeys(_ demand: KeyDemand) throws -> KeyGrant { try tables.grantKeys(demand) }
}

extension MemoryRecords: LargeValueKeeping {
    package func largeValue(stored: UnsafeRawBufferPointer) throws -> Data { Data(stored) }

    package func largeValueWriter() -> any LargeValueWriting { ValuesInRows() }
}

/// Leaves large values in the rows.
private final class ValuesInRows: LargeValueWriting {
    func storedForm(of data: Data) throws -> Data { data }
    var count: Int { 0 }
    func discard(after count: Int) {}
}
