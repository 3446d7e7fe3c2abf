import CoreDataStore

/// A store that keeps its records in tables in memory, and answers from them.
///
/// What reading and giving out keys need is here; a kind of store adds what becomes of a save, and changes its tables only
/// within `sharedReaders.changing`. Confined like its store: one thread at a time, beside which the readers read.
package protocol RecordAnswering: ObjectStore {
    var questions: RecordQuestions { get }
    var sharedReaders: RecordReaders { get }
}

/// The environment of a record store.
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

    func checkKept(_ binding: EntityBinding) throws {
        guard !keeps(binding.layout) else { return }
        throw CoreDataError.make(
            NSCoreDataError, "The store does not keep entity '\(binding.layout.entity.name ?? "")'.",
            hint: "Its configuration leaves the entity out.")
    }
}

extension RecordAnswering {
    package var setting: RecordSetting { questions.setting }
    package var tables: RecordTables { questions.tables }
    package var readers: (any ReaderProviding)? { sharedReaders }

    package func fetch(_ query: FetchQuery) throws -> FetchedRows { try questions.fetch(query) }

    package func count(_ query: FetchQuery) throws -> Int { try questions.count(query) }

    package func values(_ query: ValueQuery, _ body: (ValueTable) -> Void) throws { body(try questions.values(query)) }

    package func rows(of binding: EntityBinding, keys: [Int64]) throws -> [RowRun] {
        try questions.rows(of: binding, keys: keys)
    }

    package func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, key: Int64
    ) throws -> AddressList {
        questions.members(of: relationship, key: key)
    }

    package func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, keys: [Int64]
    ) throws -> MemberRows {
        questions.members(of: relationship, keys: keys)
    }

    // MARK: Keys

    package func checkOutKeys(_ demand: KeyDemand) throws -> KeyGrant { try tables.grantKeys(demand) }

    package func checkInKeys(_ grant: KeyGrant) { tables.takeBack(grant) }

    package func reserveKeys(_ demand: KeyDemand) throws -> KeyGrant { try tables.grantKeys(demand) }

    /// Notifies the store of the slabs that its tables made of others in a save.
    package func publishMadeSlabs() {
        // All rows of these slabs are the newest at this moment, and perhaps never again.
        for slab in tables.takeMadeSlabs() { setting.delegate.publish(slab) }
    }

    // MARK: Large values

    package func largeValue(stored: UnsafeRawBufferPointer) throws -> Data { Data(stored) }

    package func largeValueWriter() -> any LargeValueWriting { ValuesInRows() }
}
