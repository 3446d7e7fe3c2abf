import CoreDataStore

/// A store that keeps its records in tables in memory, and answers from them.
///
/// What reading and lending keys need is here; a kind of store adds what becomes of a save. Confined like its store: one
/// thread at a time.
package protocol RecordAnswering: ObjectStore {
    var setting: RecordSetting { get }
    var tables: RecordTables { get }
}

/// What a store of records knows of its surroundings.
package struct RecordSetting {
    package unowned let delegate: any BackendDelegate
    package let model: ModelLayout
    /// By the numbers of the entities: whether the store's configuration has the entity.
    private let kept: [Bool]

    package init(_ request: OpeningRequest) {
        delegate = request.delegate
        model = request.layouts
        kept = request.layouts.entities.map {
            request.layouts.model.keeps($0.entity, configuration: request.configuration)
        }
    }

    /// Empty tables for the records of the store.
    package func makeTables(_ keySpace: RecordTables.KeySpace = .hierarchy) -> RecordTables {
        RecordTables(model: model, bindings: model.entities.map { delegate.binding(for: $0) }, keySpace: keySpace)
    }

    /// Whether records of an entity belong into the store.
    package func keeps(_ layout: EntityLayout) -> Bool { kept.indices.contains(layout.number) && kept[layout.number] }

    fileprivate func checkKept(_ binding: EntityBinding) throws {
        guard !keeps(binding.layout) else { return }
        throw CoreDataError.make(
            NSCoreDataError, "The store does not keep entity '\(binding.layout.entity.name ?? "")'.",
            hint: "Its configuration leaves the entity out.")
    }
}

extension RecordAnswering {
    package func fetch(_ query: FetchQuery) throws -> FetchedRows {
        try setting.checkKept(query.binding)
        let runs = try RecordQuery(query, of: tables, storeIdentifier: setting.delegate.identifier).runs()
        guard !query.includesValues else { return .rows(runs) }
        var addresses = AddressList()
        for run in runs {
            for index in run.range { addresses.append(run.slab.key(index), of: run.slab.binding) }
        }
        return .addresses(addresses)
    }

    package func count(_ query: FetchQuery) throws -> Int {
        try setting.checkKept(query.binding)
        return try RecordQuery(query, of: tables, storeIdentifier: setting.delegate.identifier).count()
    }

    package func values(_ query: ValueQuery, _ body: (ValueTable) -> Void) throws {
        try setting.checkKept(query.binding)
        do {
            body(try RecordValues(query, of: tables, storeIdentifier: setting.delegate.identifier).table())
        } catch let error as ExpressionError {
            throw CoreDataError.make(NSCoreDataError, error.description, underlying: error)
        }
    }

    // MARK: Faults

    package func rows(of binding: EntityBinding, keys: [Int64]) throws -> [RowRun] {
        try setting.checkKept(binding)
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

    // MARK: Keys

    package func lendKeys(_ demand: KeyDemand) throws -> KeyGrant { try tables.grantKeys(demand) }

    package func returnKeys(_ grant: KeyGrant) { tables.takeBack(grant) }

    package func reserveKeys(_ demand: KeyDemand) throws -> KeyGrant { try tables.grantKeys(demand) }

    /// Tells the store of the slabs that its tables made of others in a save.
    package func publishMadeSlabs() {
        // All rows of these slabs are the newest at this moment, and perhaps never again.
        for slab in tables.takeMadeSlabs() { setting.delegate.publish(slab) }
    }

    // MARK: Large values

    package func largeValue(stored: UnsafeRawBufferPointer) throws -> Data { Data(stored) }

    package func largeValueWriter() -> any LargeValueWriting { ValuesInRows() }
}

/// Leaves large values in the rows.
private final class ValuesInRows: LargeValueWriting {
    func storedForm(of data: Data) throws -> Data { data }
    var count: Int { 0 }
    func discard(after count: Int) {}
}
