import CoreDataSync
import TestBasics

/// A device with a store, an engine and a clock that may be wrong.
package struct SimulatedPeer {
    package let name: String
    package private(set) var store = SimulatedStore()
    package private(set) var engine: SyncEngine?
    package private(set) var version: Int
    package private(set) var faults: [String] = []
    package private(set) var reports: [SyncReport] = []
    /// What the store keeps, by entity; nil for all.
    package let part: Set<String>?
    /// The frames to be sent, with the identity of the peer they are for.
    var outbox: [(bytes: [UInt8], to: PeerID?)] = []
    var instance: [UInt8]
    /// The own sequence as noted outside of the store.
    var highWater: [PeerID: UInt64] = [:]
    var skew: Int64 = 0
    var isAway = false
    /// Whether large values come on demand.
    var getsValuesOnDemand = false
    let settings: SimulationSettings
    private let identities: IdentitySource
    private var commitCount = 0

    /// What is wrong with the peer, in a simulation of wrong engines.
    private var fault: SimulatedFault? { name.utf8.last.map { $0 % 2 == 1 } ?? false ? settings.fault : nil }

    init(_ name: String, version: Int, part: Set<String>?, _ settings: SimulationSettings, _ identities: IdentitySource)
    {
        self.name = name
        self.version = version
        self.part = part
        self.settings = settings
        self.identities = identities
        instance = Array(name.utf8)
    }

    package var identity: PeerID? { engine?.meta.nextIdentity }

    var isTakingPart: Bool { engine.map { $0.meta.rebase == nil } ?? false }

    /// Whether chunks are kept that nothing names, which ends after a time.
    var keepsIdleChunks: Bool { ((try? engine?.idleChunkCount(store.state)) ?? 0) > 0 }

    /// Whether large values are not here yet.
    var lacksValues: Bool { ((try? engine?.absentValues(store.state)) ?? []).isEmpty == false }

    private func configuration() throws -> SyncConfiguration {
        let schema = try settings.schema(version)
        var configuration = SyncConfiguration(schema: try fault?.altered(schema) ?? schema)
        configuration.functions = fault?.functions ?? SimulatedModel.functions
        configuration.silenceLimit = settings.silenceLimit
        configuration.greetingInterval = 1
        configuration.lagLimit = 300
        configuration.partSize = settings.partSize
        configuration.digest = SimulatedChunks.digest
        configuration.chunkGrace = 200
        configuration.leavesFrames = true
        if getsValuesOnDemand { configuration.isOnDemand = { _ in true } }
        if let part { configuration.isInPart = { part.contains($0.entity) } }
        return configuration
    }

    private func time(_ now: UInt64) -> UInt64 { UInt64(max(0, Int64(now) + skew)) }

    private func opening(_ now: UInt64) -> SyncEngine.Opening {
        let highWater = engine == nil ? storedIdentity.flatMap { self.highWater[$0] } : nil
        let instance = settings.fault == .copyKeepsIdentity ? [] : instance
        return SyncEngine.Opening(instance: instance, highWater: highWater, spare: identities.next())
    }

    private var storedIdentity: PeerID? {
        (try? SyncEngine.storedMeta(store.state))?.identity
    }

    // MARK: Events

    /// Begins as the first peer or as one that joins.
    mutating func begin(_ beginning: SyncEngine.Beginning, at now: UInt64) throws {
        let (engine, effects) = try SyncEngine.make(
            try configuration(), beginning, identity: identities.next(), opening: opening(now), at: time(now))
        self.engine = engine
        perform(effects, isCapture: false)
    }

    /// Opens the store after the process ended, with the model of a version.
    mutating func open(version: Int? = nil, at now: UInt64) throws {
        if let version { upgrade(to: version) }
        let (engine, effects) = try SyncEngine.open(try configuration(), store.state, opening(now), at: time(now))
        self.engine = engine
        perform(effects, isCapture: false)
        try capture(at: now)
        try handle(.modelChanged)
    }

    /// Ends the process: what is not in the store is gone.
    mutating func crash() {
        engine = nil
        outbox = []
    }

    private mutating func upgrade(to version: Int) {
        guard version > self.version else { return }
        self.version = version
        store.renameNames()
    }

    mutating func save(_ user: inout SimulatedUserSource, _ witness: String) { user.save(witness, &store, version) }

    /// Gives the saves of the history to the engine.
    mutating func capture(at now: UInt64) throws {
        guard !store.history.isEmpty, engine != nil else { return }
        let changes = store.pendingChanges
        try store.keepChunks(of: changes, at: time(now))
        try handle(.saved(changes, at: time(now)), isCapture: true)
        if fault == .savesCapturedTwice, commitCount % 5 == 0 { try handle(.saved(changes, at: time(now))) }
    }

    mutating func receive(_ bytes: [UInt8], at now: UInt64) throws {
        try capture(at: now)
        try handle(.received(bytes, at: time(now)))
    }

    mutating func tick(at now: UInt64) throws {
        try capture(at: now)
        try handle(.tick(at: time(now), spare: identities.next()))
    }

    /// Asks for the large values that are not here.
    mutating func fetch(at now: UInt64) throws {
        try capture(at: now)
        let absent = try engine?.absentValues(store.state).map(\.place) ?? []
        if !absent.isEmpty { try handle(.fetch(absent, at: time(now))) }
    }

    mutating func compact() throws {
        guard store.history.isEmpty else { return }
        try handle(.compact)
    }

    private mutating func handle(_ event: SyncEvent, isCapture: Bool = false) throws {
        guard var next = engine else { return }
        let effects = try next.handle(event, store.state)
        engine = next
        perform(effects, isCapture: isCapture)
    }

    private mutating func perform(_ effects: [SyncEffect], isCapture: Bool) {
        var plan = SyncPlan()
        var assigned: [Int: ObjectIdentity] = [:]
        for case .commit(let committed) in effects { plan = committed }
        for case .assigned(let numbers) in effects { assigned = numbers }
        guard let schema = try? settings.schema(version) else { return }
        commitCount += 1
        plan = fault?.altered(plan, commitCount) ?? plan
        faults += store.commit(plan, assigned, isCapture: isCapture, StoreRules(schema)).map { name + ": " + $0 }
        for effect in effects {
            if case .send(let bytes, let to) = effect { outbox.append((bytes, to)) }
            if case .transactions(let transactions, let to) = effect {
                outbox += SyncFrame.portions(of: transactions).map { (SyncFrame.encode(.transactions($0)), to) }
            }
            if case .report(let report) = effect { reports.append(report) }
        }
        for case .give(let peer, let former) in effects { give(to: peer, former) }
        for case .take(let sender) in effects { take(from: sender) }
        if let meta = engine?.meta {
            highWater[meta.identity] = max(highWater[meta.identity] ?? 0, meta.applied[meta.identity])
        }
    }

    // MARK: Baselines

    private mutating func give(to peer: PeerID, _ former: PeerID?) {
        do {
            try engine?.makeBaseline(former: former, store.state) { frame, _ in outbox.append((frame, peer)) }
        } catch {
            faults.append("\(name): a baseline could not be made: \(error)")
        }
    }

    /// Takes a baseline in portions, which are committed together.
    private mutating func take(from sender: PeerID) {
        guard var next = engine else { return }
        do {
            let storage = GrowingStorage(store.state)
            var plan = SyncPlan()
            let effects = try next.takeBaseline(from: sender, storage, at: next.meta.lastTick) { portion in
                storage.apply(portion.state)
                plan.rows += portion.rows
                plan.state += portion.state
            }
            engine = next
            perform([.commit(plan)] + effects, isCapture: false)
        } catch {
            faults.append("\(name): a baseline could not be taken: \(error)")
        }
    }

    // MARK: Copies

    /// A copy of the store under another name, as when its file is copied.
    func copied(_ name: String) -> SimulatedPeer {
        var copy = SimulatedPeer(name, version: version, part: part, settings, identities)
        copy.store = store
        copy.skew = skew
        return copy
    }

    /// Puts an earlier state of the store into its place, and if it is a whole one what was noted outside of it as well.
    mutating func restore(_ backup: SimulatedBackup, isWhole: Bool) {
        crash()
        store = backup.store
        version = backup.version
        if isWhole { highWater = backup.highWater }
    }
}

/// New identities from a seed.
final class IdentitySource {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    func next() -> PeerID { PeerID(random.next()) }
}

extension SimulatedStore {
    /// Renames the attribute that the second version of the model renames, as a migration does.
    mutating func renameNames() {
        mapRows { row in
            guard row.entity == "Person", let name = row.values.removeValue(forKey: "name") else { return }
            row.values["fullName"] = name
            row.values["nick"] = .null
        }
        mapHistory { change in
            var change = change
            if let name = change.values.removeValue(forKey: "name") { change.values["fullName"] = name }
            return change
        }
    }
}

/// The users' programs of a simulation, which draw from one sequence.
struct SimulatedUserSource {
    var random: SeededRandom
    var portraits: PortraitUser?
    let settings: SimulationSettings

    mutating func save(_ witness: String, _ store: inout SimulatedStore, _ version: Int) {
        guard let schema = try? settings.schema(version) else { return }
        var user = SimulatedUser(schema, random)
        user.focus = settings.focus
        user.portraits = portraits
        user.save(witness, &store)
        random = user.random
        portraits = user.portraits
    }
}
