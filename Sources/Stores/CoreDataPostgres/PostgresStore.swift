import CoreDataSQL
import PostgresKit

/// An open store in a schema of a PostgreSQL database.
///
/// Confined like every store: one thread at a time. It writes through a connection of its own.
package final class PostgresStore {
    let shape: PostgresShape
    let session: PostgresSession
    package let isReadOnly: Bool
    package let reasonForReadOnly: String?
    private(set) lazy var keys = PostgresKeyAllocator(shape)
    /// Whether saves are parts of one transaction that has begun.
    var isGroupingSaves = false
    /// What the saves of that transaction have changed so far.
    var grouped = GroupedRecord()
    /// Records what saves change; nil where no history is kept.
    private(set) var recordedHistory: StoreHistoryTables?
    package private(set) var reasonForNoHistory: String?
    /// Notifies others of commits; nil where no history is kept.
    private(set) var changeSignal: ChangeSignal?
    /// Notices what others commit; nil without an observer.
    var watch: CommitWatch?
    /// What was known of the commits of others when it was last asked whether there are new ones.
    var seenState: [Int64] = []
    /// The program's entries in the metadata as this store has last read or written them.
    var knownMetadata: [String: Any]

    let pool: PostgresReaderPool
    /// The replicas that answer contexts which read from them; nil where the store's options name no greatest lag.
    let replicaPool: ReplicaPool?
    var marker: SaveMarker
    /// The mark of a save of which it is not known whether it was committed.
    var pendingOutcome: SaveMarker?
    /// The saves that the server has acknowledged, of which a failover may have lost some.
    ///
    /// Not lazy: each save would copy all of them.
    var acknowledged: AcknowledgedSaves
    /// What a failover lost, until it has been reported to a save.
    var lostSaves: LostSaves?

    init(
        _ shape: PostgresShape, connection: PostgresConnection, connector: PostgresConnector, isReadOnly: Bool,
        reasonForReadOnly: String?, metadata: [String: Any]
    ) {
        self.shape = shape
        session = PostgresSession(shape, connection: connection, connector: connector)
        pool = PostgresReaderPool(shape, connector)
        replicaPool = ReplicaPool(shape, connector)
        marker = SaveMarker(shape.schema)
        acknowledged = AcknowledgedSaves(shape.schema)
        self.isReadOnly = isReadOnly || reasonForReadOnly != nil
        self.reasonForReadOnly = reasonForReadOnly
        knownMetadata = MetadataRules.ownKeys(of: metadata)
    }

    /// Records changes from here on.
    func beginHistory() throws {
        let tables = StoreHistoryTables(shape)
        if let reason = try tables.begin(session, isReadOnly: isReadOnly) {
            reasonForNoHistory = reason
            return
        }
        recordedHistory = tables
        changeSignal = ChangeSignal(channel)
    }

    var channel: ChangeChannel {
        ChangeChannel(location: shape.location, identifier: shape.store.identifier ?? shape.location.schema)
    }

    package var problems: [String] {
        let holder = try? historyHolder(olderThan: 5)
        return holder.map { [$0] } ?? []
    }

    package func close() {
        watch?.end()
        changeSignal?.end()
        pool.close()
        replicaPool?.close()
        if !isReadOnly { marker.remove(session.connection, telling: recordedHistory == nil ? channel : nil) }
        session.connection.close()
    }
}

extension PostgresStore: RowFetching {
    package func fetch(_ query: FetchQuery) throws -> FetchedRows { try session.answering { try session.fetch(query) } }

    package func count(_ query: FetchQuery) throws -> Int { try session.answering { try session.count(query) } }

    package func values(_ query: ValueQuery, _ body: (ValueTable) -> Void) throws {
        try session.answering { try session.values(query, body) }
    }

    package var interruption: (@Sendable () -> Void)? {
        let canceller = session.connection.canceller
        return { canceller.cancel() }
    }
}

extension PostgresStore: RowFaulting {
    package func rows(of binding: EntityBinding, keys: [Int64]) throws -> [RowRun] {
        try session.answering { try session.rows(of: binding, keys: keys) }
    }

    package func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, key: Int64
    ) throws -> AddressList {
        try session.answering { try session.members(of: relationship, owner: owner, key: key) }
    }

    package func members(
        of relationship: NSRelationshipDescription, owner: EntityBinding, keys: [Int64]
    ) throws -> MemberRows {
        try session.answering { try session.members(of: relationship, owner: owner, keys: keys) }
    }
}

extension PostgresStore: ObjectStore {
    package func largeValue(stored: UnsafeRawBufferPointer) throws -> Data { Data(stored) }

    package var readers: (any ReaderProviding)? { pool }

    package var replicas: (any ReplicaProviding)? { replicaPool }

    /// Asks the server beside the store.
    package var healthProbing: (any HealthProbing)? { pool }

    package func largeValueWriter() -> any LargeValueWriting { ValuesInRows() }
}

extension PostgresStore: WriteHolding {
    package var writeHolding: (any WriteHolding)? { self }

    /// Others may write meanwhile: what is asked is answered of the state that the first question finds.
    package func holdingWrites<Result>(_ body: () throws -> Result) throws -> Result {
        try session.answering(mayRepeat: false) {
            try session.reporting("be read") { try session.readingOneState(body) }
        }
    }
}
