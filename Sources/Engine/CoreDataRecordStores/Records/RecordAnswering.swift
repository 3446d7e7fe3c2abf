import CoreDataStore

/// A store that has all its records in tables in memory, and executes queries on these.
///
/// Its extension implements reading and giving out keys. A type of store implements saving, and changes its tables only
/// within `sharedReaders.changing`. One thread at a time uses the store; its readers may read concurrently.
package protocol RecordAnswering: ObjectStore {
    var questions: RecordQuestions { get }
    var sharedReaders: RecordReaders { get }
}

/// The model, configuration and delegate of a record store.
package struct RecordSetting {
    package unowned let delegate: any BackendDelegate
    package let model: ModelLayout
    /// Whether the store's configuration contains each entity, by the number of the entity.
    private let kept: [Bool]

    package init(_ request: OpeningRequest) {
        delegate = request.delegate
        model = request.layouts
        kept = request.layouts.entities.map {
            request.layouts.model.keeps($0.entity, configuration: request.configuration)
        }
    }

    /// Makes empty tables for the store's records.
    package func makeTables(_ keySpace: RecordTables.KeySpace = .hierarchy) -> RecordTables {
        RecordTables(model: model, bindings: model.entities.map { delegate.binding(for: $0) }, keySpace: keySpace)
    }

    /// Whether the store contains records of an entity.
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

    /// Puts the rows of the slabs that the tables themselves made in a save into the row cache.
    package func publishMadeSlabs() {
        // At this moment all rows of these slabs are the newest versions; a later save may replace some of them.
        for slab in tables.takeMadeSlabs() { setting.delegate.publish(slab) }
    }

    // MARK: Large values

    package func largeValue(stored: UnsafeRawBufferPointer) throws -> Data { Data(stored) }

    package func largeValueWriter() -> any LargeValueWriting { ValuesInRows() }
}
