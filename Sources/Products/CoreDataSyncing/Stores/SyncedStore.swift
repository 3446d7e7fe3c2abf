import CoreDataGraph
import CoreDataModeling
import CoreDataStore
import CoreDataSync
import Foundation

/// A store and its engine. Used by one thread at a time.
final class SyncedStore {
    let store: NSPersistentStore
    let mapping: ModelMapping
    let settings: StoreSettings
    let clock: @Sendable () -> UInt64
    private let didImport: (@Sendable (SavedChanges) -> Void)?
    let mark: InstanceMark
    private let cutter: ChunkCutter
    private var engine: SyncEngine?
    /// The engine's head entry as this engine knows it; another process may have written another one.
    private var head: [UInt8]?
    /// Whether the transport was asked what it has of this store; saves are captured from then on.
    var isChecked = false

    init(_ store: NSPersistentStore, _ options: SyncOptions) throws {
        guard let coordinator = store.persistentStoreCoordinator, let source = store.objects, source.sideTable != nil,
            !source.isReadOnly
        else { throw SyncError.unsuitable }
        self.store = store
        let model = coordinator.managedObjectModel
        mapping = try ModelMapping(model, coordinator.modelLayout) { store.keeps($0, of: model) }
        settings = try StoreSettings(options, mapping)
        cutter = options.cutter
        (clock, didImport) = (options.clock, options.didImport)
        mark = InstanceMark(store: store.type == NSSQLiteStoreType ? store.url : nil)
    }

    /// How the next transaction begins.
    enum Beginning {
        /// The store takes part already.
        case present
        /// The store takes part from now on.
        case making(SyncEngine.Beginning)
    }

    /// Runs a block in a transaction of the store, in which local saves were captured first once the transport was asked.
    ///
    /// - Parameters:
    ///   - highWater: The greatest sequence of the store's own identity that was seen outside of it.
    /// - Throws: What the block throws; nothing is changed then.
    func transaction<Result>(
        _ beginning: Beginning = .present, comparing: Bool = false, highWater: (PeerID) -> UInt64? = { _ in nil },
        _ body: (StoreTransaction) throws -> Result
    ) throws -> Result {
        do {
            let (result, transaction) = try store.changingBelowContexts { source, commit in
                guard let side = source.sideTable else { throw SyncError.unsuitable }
                if source.saveGrouping != nil { try side.excludeOtherSaves() }
                try MovedRows(side, mapping).follow()
                let now = clock()
                let finder = RowFinder(
                    store: store, source: source, mapping: mapping,
                    largeValues: LargeValueStore(side, cutter, now: now))
                let transaction = StoreTransaction(finder, side, engine: engine, now: now)
                settings.validator?.transaction = transaction
                defer {
                    settings.validator?.transaction = nil
                    commit = transaction.commit
                }
                try begin(transaction, beginning, side, highWater)
                if isChecked {
                    try transaction.capture(comparing: comparing || transaction.isModelNewer)
                    try transaction.showByModel()
                    try settings.keepPart(transaction)
                }
                let result = try body(transaction)
                try transaction.finish()
                return (result, transaction)
            }
            engine = transaction.engine
            head = transaction.head ?? head
            noteHighWater()
            if !transaction.commit.changes.isEmpty { didImport?(transaction.commit.changes) }
            return result
        } catch {
            engine = nil
            head = nil
            throw error
        }
    }

    /// Refuses to exchange without the merge functions that the model names.
    func checkFunctions() throws { try settings.checkFunctions() }

    /// Refuses a store that took part and lost its state, as one that was replaced by a copy without it: its objects would count as new ones.
    ///
    /// - Throws: `SyncError` with the code `damagedState`.
    func checkForLostState() throws {
        guard mark.namesPeer else { return }
        try store.changingBelowContexts { source, _ in
            guard try source.sideTable?.sideValue(for: SyncEngine.metaKey) == nil else { return }
            let finder = RowFinder(store: store, source: source, mapping: mapping)
            for entity in mapping.entities where !entity.layout.isAbstract {
                guard try finder.keys(entity.layout).isEmpty else { throw SyncError.lostState }
            }
        }
    }

    /// Forgets the engine: the next transaction opens it again.
    func close() {
        engine = nil
        head = nil
    }

    private func begin(
        _ transaction: StoreTransaction, _ beginning: Beginning, _ side: any SideTableKeeping,
        _ highWater: (PeerID) -> UInt64?
    ) throws {
        let present = try side.sideValue(for: SyncEngine.metaKey)
        let configuration = try settings.configuration(side)
        if case .making(let kind) = beginning {
            guard present == nil else { throw SyncError.alreadyJoined }
            let (engine, effects) = try SyncEngine.make(
                configuration, kind, identity: .random(), opening: try opening(side, nil, isNew: true),
                at: transaction.now)
            transaction.engine = engine
            try transaction.perform(effects)
            return try settings.keepRole(transaction)
        }
        guard let present else { throw SyncError.notJoined }
        if var engine, head == present {
            engine.configuration = configuration
            transaction.engine = engine
            return try settings.keepRole(transaction)
        }
        do {
            let (engine, effects) = try SyncEngine.open(
                configuration, transaction.storage, try opening(side, present, highWater), at: transaction.now)
            head = present
            transaction.engine = engine
            try transaction.perform(effects)
            try settings.keepRole(transaction)
        } catch let error as FormatError {
            throw SyncError.damaged(error)
        }
    }

    private func opening(
        _ side: any SideTableKeeping, _ present: [UInt8]?, isNew: Bool = false,
        _ highWater: (PeerID) -> UInt64? = { _ in nil }
    ) throws -> SyncEngine.Opening {
        let noted = try mark.read(making: isNew)
        let identity = try present.map { try SyncEngine.identity(inHead: $0) }
        var greatest = noted.identity == identity ? noted.highWater : nil
        if let identity, let seen = highWater(identity) { greatest = max(greatest ?? 0, seen) }
        return SyncEngine.Opening(
            instance: noted.instance + (try side.placeMark()), highWater: greatest, spare: .random())
    }

    private func noteHighWater() {
        guard let meta = engine?.meta else { return }
        mark.note(identity: meta.identity, highWater: meta.applied[meta.identity])
    }
}

extension PeerID {
    /// An identity that no other peer has.
    static func random() -> PeerID { PeerID(UInt64.random(in: 1 ... .max)) }
}
