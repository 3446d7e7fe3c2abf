/// Keeps one store in step with its peers: takes events and says what to do. It has no file, socket, clock or random source.
///
/// Invariants:
/// 1. A transaction is applied whole, after all that it builds on, and once.
/// 2. What is shown is a function of the applied transactions and the model (``ObjectView``), so that peers which applied the same show
///    the same.
/// 3. Nothing is sent that is not committed before: the effects of an event begin with the plan.
///
/// | state | what it does |
/// |---|---|
/// | taking part | applies, sends, answers |
/// | waiting for a baseline (`meta.rebase`) | saves are kept in the log; transactions of others are ignored |
///
/// The caller gives each event to a copy, commits the plan, and keeps the copy if that succeeded; an engine that ended in between is
/// made again from the store by ``init(_:reading:)``.
package struct SyncEngine: Sendable {
    package var configuration: SyncConfiguration
    package internal(set) var meta: SyncMeta
    /// Transactions that wait for what they build on, or for the program's consent.
    package internal(set) var waiting = WaitingTransactions()
    /// The peers that frames with waiting transactions named.
    var namedByWaiting: Set<PeerID> = []
    /// Transactions of retired peers that members had applied before they knew.
    var granted = VersionVector()
    var lastGreeting: UInt64?
    var patience = Patience()
    /// What members said that they have, until all that they had written by then is here.
    var greeted: [PeerID: VersionVector] = [:]
    /// The peers that wait for a baseline, by what they said last.
    var newcomers: Set<PeerID> = []
    /// The identity that the store takes if it must take another; nil once it took it, until a tick brings the next.
    var spare: PeerID?

    /// How a store without state begins.
    package enum Beginning: Sendable {
        /// It is the first of its peers; its rows are captured as a save.
        case founding
        /// It waits for a peer's baseline; its own rows are merged with that.
        case joining
    }

    /// What distinguishes a store from its copies and its past.
    package struct Opening: Sendable {
        /// What no copy of the store has: a random number kept beside its file, or the file's place and number.
        package let instance: [UInt8]
        /// The sequence of the last own transaction as noted outside of the store; nil where it is not noted.
        package let highWater: UInt64?
        /// A random number for a new identity.
        package let spare: PeerID

        package init(instance: [UInt8], highWater: UInt64? = nil, spare: PeerID) {
            self.instance = instance
            self.highWater = highWater
            self.spare = spare
        }
    }

    init(_ configuration: SyncConfiguration, _ meta: SyncMeta, spare: PeerID) {
        self.configuration = configuration
        self.meta = meta
        self.spare = spare
    }

    /// Makes the engine of a store that had no state.
    package static func make(
        _ configuration: SyncConfiguration, _ beginning: Beginning, identity: PeerID, opening: Opening, at now: UInt64
    ) throws -> (SyncEngine, [SyncEffect]) {
        var engine = SyncEngine(configuration, SyncMeta(identity: identity), spare: opening.spare)
        engine.meta.instance = opening.instance
        engine.meta.fingerprint = configuration.schema.fingerprint
        engine.meta.lastTick = now
        var run = EventRun(engine, MemoryStorage(), at: now)
        if beginning == .founding {
            try run.write([.admit(identity, configuration.role)])
        } else {
            run.state.meta.rebase = SyncMeta.Rebase(former: nil, first: .max)
        }
        // The engine is what it is after the effects: encoding the state numbers peers.
        let effects = try run.finish()
        return (run.engine, effects)
    }

    /// Opens a store's state, and sees whether the store was copied or restored.
    ///
    /// The saves that the state does not have yet come next, and then ``SyncEvent/modelChanged`` if the model is another.
    ///
    /// - Throws: What the storage throws, and ``FormatError`` for a damaged state.
    package static func open(
        _ configuration: SyncConfiguration, _ storage: any SyncStorage, _ opening: Opening, at now: UInt64
    ) throws -> (SyncEngine, [SyncEffect]) {
        guard let meta = try storedMeta(storage) else { throw FormatError(.truncated, at: 0) }
        let engine = SyncEngine(configuration, meta, spare: opening.spare)
        var run = EventRun(engine, storage, at: now)
        run.open(opening)
        try run.loadFetched()
        // The engine is what it is after the effects: encoding the state numbers peers.
        let effects = try run.finish()
        return (run.engine, effects)
    }

    /// What a store's state says of the store and its peers; nil if the store has no state.
    package static func storedMeta(_ storage: any SyncStorage) throws -> SyncMeta? {
        try storage.value(for: SyncMeta.key).map { try SyncMeta(decoding: $0) }
    }

    /// Handles an event.
    ///
    /// - Throws: What the storage throws; the engine must not be used further then.
    package mutating func handle(_ event: SyncEvent, _ storage: any SyncStorage) throws -> [SyncEffect] {
        var run = EventRun(self, storage, at: event.time ?? meta.lastTick)
        switch event {
        case .saved(let changes, _): try run.save(changes)
        case .received(let bytes, _): try run.receive(bytes)
        case .decoded(let frame, _): try run.receive(frame)
        case .chunks(let contents, _): try run.receive(chunks: contents)
        case .fetch(let places, _): try run.fetch(places)
        case .tick(_, let spare): try run.tick(spare: spare)
        case .modelChanged: try run.changeModel()
        case .partChanged: try run.changePart()
        case .compact: try run.compact()
        case .retire(let peer, _): try run.write([.retire(peer)])
        case .admit(let peer, let role, _): try run.write([.admit(peer, role)])
        }
        let effects = try run.finish()
        self = run.engine
        return effects
    }
}

extension SyncEvent {
    fileprivate var time: UInt64? {
        switch self {
        case .saved(_, let time), .received(_, let time), .decoded(_, let time), .chunks(_, let time),
            .fetch(_, let time), .tick(let time, _), .retire(_, let time), .admit(_, _, let time):
            time
        case .compact, .modelChanged, .partChanged: nil
        }
    }
}
