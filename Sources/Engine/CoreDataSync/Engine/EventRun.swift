/// One event on its way through the engine: what was read, what is to be written, and the effects so far.
struct EventRun {
    var engineValue: SyncEngine
    let storage: any SyncStorage
    let now: UInt64
    var state: SyncState
    /// The state before the event.
    let old: SyncState
    var projector: Projector
    var concerned: Set<ObjectIdentity> = []
    var expected: [ObjectIdentity: SavedRow] = [:]
    /// Rows that go on as another object.
    var forwarded: [ObjectIdentity: ObjectIdentity] = [:]
    var rows: [RowChange] = []
    var messages: [(bytes: [UInt8], peer: PeerID?)] = []
    /// What the caller makes frames of, and baselines that it makes or takes.
    var calls: [SyncEffect] = []
    var assigned: [Int: ObjectIdentity] = [:]
    var reports: [SyncReport] = []
    var wakeAfter: UInt64?
    /// The chunks that arrived with the event: they are kept whatever becomes of what waited for them.
    var arrivedChunks: [(digest: ChunkDigest, content: [UInt8])] = []
    private var isChanged = false

    init(_ engine: SyncEngine, _ storage: any SyncStorage, at now: UInt64) {
        engineValue = engine
        self.storage = storage
        self.now = now
        let configuration = engine.configuration
        state = SyncState(storage, configuration.schema, engine.meta)
        old = SyncState(storage, configuration.schema, engine.meta)
        projector = Projector(
            state: state, old: old, functions: configuration.functions, isInPart: configuration.isInPart)
    }

    /// The engine as it is after the event.
    var engine: SyncEngine {
        var engine = engineValue
        engine.meta = state.meta
        return engine
    }

    var configuration: SyncConfiguration { engineValue.configuration }
    var view: ObjectView { projector.view }

    /// Begins again with the state before the event; waiting transactions and messages stay.
    mutating func startOver(_ meta: SyncMeta) throws {
        state = SyncState(storage, configuration.schema, meta)
        projector = Projector(
            state: state, old: old, functions: configuration.functions, isInPart: configuration.isInPart)
        concerned = []
        rows = []
        isChanged = !arrivedChunks.isEmpty
        for chunk in arrivedChunks { try state.keepChunk(chunk.digest, chunk.content, at: now) }
    }

    mutating func markChanged() { isChanged = true }

    /// Applies a transaction and what follows from it.
    mutating func apply(_ transaction: SyncTransaction) throws {
        var touched = TouchedObjects()
        try state.apply(transaction, &touched)
        try update(touched)
    }

    mutating func update(_ touched: TouchedObjects) throws {
        concerned.formUnion(try projector.update(touched))
        isChanged = true
    }

    mutating func send(_ message: SyncMessage, to peer: PeerID? = nil) {
        send(SyncFrame.encode(message), to: peer)
    }

    mutating func send(_ bytes: [UInt8], to peer: PeerID?) {
        guard bytes.count <= SyncFrame.greatestSize else {
            return reports.append(.tooLarge(bytes.count))
        }
        messages.append((bytes, peer))
    }

    /// Sends transactions in frames of a moderate size.
    mutating func send(_ transactions: [SyncTransaction], to peer: PeerID?) {
        guard !configuration.leavesFrames else { return calls.append(.transactions(transactions, to: peer)) }
        for portion in SyncFrame.portions(of: transactions) { send(.transactions(portion), to: peer) }
    }

    mutating func dropMessages() {
        messages = []
        calls = []
    }

    /// The effects, with the plan first.
    mutating func finish() throws -> [SyncEffect] {
        var effects: [SyncEffect] = []
        var plan = SyncPlan()
        try leaveAbsentOut()
        try showFetched()
        if isChanged {
            try forgetReplacedUnsent()
            plan.rows = rows.map { forwarded($0) }
            plan.state = try state.changes(at: now)
        } else if state.meta != engineValue.meta {
            plan.state = try state.changes(at: now)
        }
        if !plan.isEmpty { effects.append(.commit(plan)) }
        if !assigned.isEmpty { effects.append(.assigned(assigned)) }
        effects += messages.map { .send($0.bytes, to: $0.peer) } + calls
        if let wakeAfter { effects.append(.wake(after: wakeAfter)) }
        for case .delete(let object, _, let survivor?) in plan.rows { reports.append(.merged(object, into: survivor)) }
        return effects + reports.map { .report($0) }
    }

    private func forwarded(_ change: RowChange) -> RowChange {
        guard case .delete(let object, let entity, nil) = change, let next = forwarded[object] else { return change }
        return .delete(object, entity: entity, survivor: next)
    }

    // MARK: Own transactions

    /// What was applied since this peer's last transaction.
    func ownDependencies(_ author: PeerID) -> [TransactionID] {
        let known = state.meta.dependencies[author] ?? VersionVector()
        return state.meta.applied.sorted.filter { $0.author != author && !known.covers($0) }
    }

    func nextID() -> TransactionID { TransactionID(state.meta.identity, state.meta.applied[state.meta.identity] + 1) }

    /// Writes changes as a transaction of this peer, or as several if receivers would refuse one for its size: what is created comes
    /// with the first.
    mutating func write(_ operations: [SyncOperation], generation: UInt8 = 0) throws {
        for portion in SyncFrame.portions(of: operations, size: configuration.transactionSize) {
            try writeOne(portion, generation: generation)
        }
    }

    /// Writes a transaction of this peer: applies it, keeps it in the log and sends it.
    private mutating func writeOne(_ operations: [SyncOperation], generation: UInt8) throws {
        let id = nextID()
        let time = state.meta.clock.tick(at: now)
        let transaction = SyncTransaction(
            id, time: time, dependencies: ownDependencies(id.author), generation: generation, operations: operations,
            previous: state.meta.heads[id.author]?.digest ?? 0)
        let dependencies = state.dependencies(of: transaction)
        try apply(transaction)
        try state.log(transaction, dependencies)
        if state.meta.rebase == nil { send([transaction], to: nil) }
    }
}
