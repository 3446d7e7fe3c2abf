import CoreDataSQL
import PostgresKit

/// An open store in a schema of a PostgreSQL database.
///
/// Used by one thread at a time, like every store. It writes through its own connection.
package final class PostgresStore {
    let shape: PostgresShape
    let session: PostgresSession
    package let isReadOnly: Bool
    package let reasonForReadOnly: String?
    private(set) lazy var keys = PostgresKeyAllocator(shape)
    /// Whether saves are parts of one transaction that has begun.
    var isGroupingSaves = false
    /// The changes of that transaction's saves so far.
    var grouped = GroupedRecord()
    /// The history, which records what saves change; nil if the store records none.
    private(set) var recordedHistory: StoreHistoryTables?
    package private(set) var reasonForNoHistory: String?
    /// Notifies other programs of commits; nil if the store does not record a history.
    private(set) var changeSignal: ChangeSignal?
    /// Detects commits of others; nil without an observer.
    var watch: CommitWatch?
    /// The state of others' commits when it was last checked for new ones.
    var seenState: [Int64] = []
    /// The program's metadata entries as this store last read or wrote them.
    var knownMetadata: [String: Any]

    let pool: ReaderPool
    private let probe: PostgresProbe
    /// The replicas for contexts that read from replicas; nil if the store's options set no maximum lag.
    let replicaPool: ReplicaPool?
    var marker: SaveMarker
    /// The marker of a save of which it is not known whether it was committed.
    var pendingOutcome: SaveMarker?
    /// The acknowledged saves, of which a failover may have lost some.
    ///
    /// Not a lazy property: each save would then copy the array.
    var acknowledged: AcknowledgedSaves
    /// The saves that a failover lost, until an error has reported them to a save.
    var lostSaves: LostSaves?

    init(
        _ shape: PostgresShape, connection: PostgresConnection, connector: PostgresConnector, isReadOnly: Bool,
        reasonForReadOnly: String?, metadata: [String: Any]
    ) {
        self.shape = shape
        session = PostgresSession(shape, connection: connection, connector: connector)
        pool = PostgresReader.pool(shape, connector)
        probe = PostgresProbe(pool, connector)
        replicaPool = ReplicaPool(shape, connector)
        marker = SaveMarker(shape.schema)
        acknowledged = AcknowledgedSaves(shape.schema)
        self.isReadOnly = isReadOnly || reasonForReadOnly != nil
        self.reasonForReadOnly = reasonForReadOnly
        knownMetadata = MetadataRules.ownKeys(of: metadata)
    }

    /// Starts to record changes in the history.
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
        if !isReadOnly { marker.remove(session.connection, notifying: recordedHistory == nil ? channel : nil) }
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

    /// Checks the server through other connections than the store's.
    package var healthProbing: (any HealthProbing)? { probe }

    package func largeValueWriter() -> any LargeValueWriting { ValuesInRows() }
}

extension PostgresStore: WriteHolding {
    package var writeHolding: (any WriteHolding)? { self }

    /// Other connections may write meanwhile: all reads see the snapshot of the first one.
    package func holdingWrites<Result>(_ body: () throws -> Result) throws -> Result {
        try session.answering(mayRepeat: false) {
            try session.reporting("be read") { try session.readingOneState(body) }
        }
    }
}
