import CoreDataGraph
import CoreDataModeling
import CoreDataStore
import CoreDataSync

/// One transaction of a synced store: events go to the engine, and what it answers is written.
///
/// Invariants:
/// 1. Local saves are captured before anything else, while no other connection can save: rows of peers never cover an edit that the
///    engine does not know.
/// 2. Rows, the engine's state, the identities of rows and the records of items are committed together.
final class StoreTransaction {
    /// The greatest count of new rows that are captured as one transaction; more are captured in several, their links last.
    private static let greatestCapture = 4_000
    /// The greatest count of rows that are captured as one transaction where some are edited or gone.
    private static let greatestEdit = 50_000
    /// How many transactions of peers' changes the history may have before the mark of what was captured moves past them.
    private static let greatestLag: Int64 = 64

    let source: any ObjectStore
    let side: any SideTableKeeping
    let finder: RowFinder
    let map: IdentityMap
    let now: UInt64
    /// The engine; nil while the store takes no part.
    var engine: SyncEngine?
    private(set) var commit = ForeignCommit()
    /// The frames to send when the transaction is committed.
    private(set) var frames: [(bytes: [UInt8], peer: PeerID?)] = []
    /// The transactions to send when the transaction is committed.
    private var transactions: [SyncTransaction] = []
    /// The baselines to send when the transaction is committed.
    private var baselines: [KeptBaseline] = []
    private(set) var reports: [SyncReport] = []
    /// The bytes of the engine's head entry, if they changed.
    private(set) var head: [UInt8]?
    private var pending: [SideEntry] = []

    init(_ finder: RowFinder, _ side: any SideTableKeeping, engine: SyncEngine?, now: UInt64) {
        source = finder.source
        self.side = side
        self.finder = finder
        self.engine = engine
        self.now = now
        map = IdentityMap(side)
    }

    var storage: StoreStorage { StoreStorage(side: side) }

    func takeFrames() -> [(bytes: [UInt8], peer: PeerID?)] {
        defer { frames = [] }
        return frames
    }

    func takeTransactions() -> [SyncTransaction] {
        defer { transactions = [] }
        return transactions
    }

    func takeBaselines() -> [KeptBaseline] {
        defer { baselines = [] }
        return baselines
    }

    // MARK: Events

    /// Gives an event to the engine and does what it answers.
    ///
    /// - Parameter places: The rows of objects that the event inserts, by the numbers of these.
    func handle(_ event: SyncEvent, places: [Int: IdentityMap.Place] = [:]) throws {
        guard var next = engine else { throw SyncError.notJoined }
        let effects = try next.handle(event, storage)
        engine = next
        try perform(effects, places: places)
    }

    func perform(_ effects: [SyncEffect], places: [Int: IdentityMap.Place] = [:]) throws {
        for case .assigned(let identities) in effects {
            for (number, object) in identities {
                if let place = places[number] { map.set(object, place) }
            }
        }
        for effect in effects {
            switch effect {
            case .commit(let plan): try write(plan)
            case .send(let bytes, let peer): frames.append((bytes, peer))
            case .transactions(let sent, _): transactions += sent
            case .report(let report): reports.append(report)
            case .give(let peer, let former): try give(to: peer, former)
            case .take(let sender): try take(from: sender)
            case .assigned, .wake: continue
            }
        }
    }

    private func write(_ changes: SyncPlan, keepingRows keepsRows: Bool = true) throws {
        if !changes.announced.isEmpty { try RowPlanner.giveKeys(changes.announced, finder, map) }
        var entries = changes.state.map { SideEntry(key: $0.key, value: $0.value) }
        if !changes.rows.isEmpty {
            // Rows have the bytes of chunks that arrived with the same event.
            let start = entries.partition { ChunkTable.isContent($0.key) }
            try side.writeSideEntries(Array(entries[start...]))
            entries.removeSubrange(start...)
            var planner = RowPlanner(finder, map)
            var wasSaved = false
            defer { if !wasSaved { planner.discard() } }
            var plan = try planner.plan(changes.rows, areAnnounced: changes.isAnnounced)
            plan.source = ChangeSource(author: LocalChangeReader.author)
            switch try source.save(plan) {
            case .saved(let receipt):
                wasSaved = true
                commit.add(receipt)
                commit.changes.append(planner.changes)
                if keepsRows { commit.slabs += planner.filled }
            case .conflicts: throw SyncError.refused("another writer changed the same rows")
            case .constraintConflicts(let conflicts):
                let names = conflicts.map { $0.constraint.joined(separator: ", ") }
                throw SyncError.refused("values of \(names.joined(separator: "; ")) are not unique")
            case .keysTaken: throw SyncError.refused("keys of new rows are taken")
            }
        }
        if let entry = changes.state.last(where: { $0.key == SyncEngine.metaKey }) { head = entry.value }
        try side.writeSideEntries(entries + map.takeChanges() + pending)
        pending = []
    }

    // MARK: Baselines

    /// Makes a baseline for a peer, whose parts are kept until they are written to the transport.
    private func give(to peer: PeerID, _ former: PeerID?) throws {
        guard let engine else { throw SyncError.notJoined }
        let spool = try Spool()
        var baseline = KeptBaseline(peer: peer)
        try engine.makeBaseline(former: former, storage) { frame, chunks in
            let name = ItemNames.name(engine.meta.identity, .baseline, peer.description, frame)
            baseline.parts.append((name, try spool.keep(frame)))
            baseline.chunks.formUnion(chunks)
        }
        baselines.append(baseline)
    }

    /// Takes a baseline of which all parts are here, some thousand entries at a time. Of a store that can undo the transaction no rows are
    /// offered to the row cache, which would have to hold all of them.
    private func take(from sender: PeerID) throws {
        guard var next = engine else { throw SyncError.notJoined }
        let keepsRows = source.saveGrouping == nil
        let effects = try next.takeBaseline(from: sender, storage, at: now) { plan in
            try write(plan, keepingRows: keepsRows)
            map.forget()
        }
        engine = next
        try perform(effects)
    }

    /// Writes what no event has written yet.
    func finish() throws {
        let entries = map.takeChanges() + pending
        pending = []
        try side.writeSideEntries(entries)
    }

    /// Writes an entry of the adapter with the next event, or at the end.
    func note(_ key: [UInt8], _ value: [UInt8]?) { pending.append(SideEntry(key: key, value: value)) }

    // MARK: Capture

    /// Captures the saves since the last capture.
    ///
    /// - Parameter comparing: Whether all rows are compared, although the history has what changed.
    func capture(comparing: Bool = false) throws {
        let reader = LocalChangeReader(finder: finder, map: map)
        let newest = try source.history?.historyExtent().newest
        let captured = try side.sideValue(for: AdapterKey.captured).flatMap { bytes in
            bytes.count == 8 ? Int64(bitPattern: SideNumber.number(bytes[...])) : nil
        }
        var touched: LocalChangeReader.Touched?
        if !comparing, let captured, let newest, let history = source.history {
            touched = try reader.touched(after: captured, through: newest, history)
        }
        let changes = try touched ?? reader.everything()
        if let newest, newest != captured, touched?.isEmpty != true || newest - (captured ?? 0) > Self.greatestLag {
            note(AdapterKey.captured, SideNumber.bytes(UInt64(bitPattern: newest), 8))
        }
        if !changes.isEmpty { try capture(changes) }
    }

    /// Captures rows as one save where some of them are edited or gone; many new rows, as of a store that begins, in portions.
    ///
    /// Of more edits than one save may have the first come with all deletions, and before new rows: these may have unique values that
    /// were free then.
    private func capture(_ touched: LocalChangeReader.Touched) throws {
        let (edited, inserted) = try divide(touched)
        let hasEdits = !edited.isEmpty || !touched.deleted.isEmpty
        if edited.count + inserted.count <= (hasEdits ? Self.greatestEdit : Self.greatestCapture) {
            return try save(rows(edited + inserted), deleted: touched.deleted)
        }
        try save(rows(edited.prefix(Self.greatestEdit)), deleted: touched.deleted)
        try capture(edited.dropFirst(Self.greatestEdit), hasLinks: true)
        try capture(inserted[...], hasLinks: false)
        try capture((inserted + edited)[...], hasLinks: true)
    }

    private func capture(_ keys: ArraySlice<TouchedRow>, hasLinks: Bool) throws {
        for start in stride(from: keys.startIndex, to: keys.endIndex, by: Self.greatestCapture) {
            try save(rows(keys[start..<min(start + Self.greatestCapture, keys.endIndex)]), hasLinks: hasLinks)
        }
    }

    private typealias TouchedRow = (layout: Int, key: Int64)

    /// The rows that have objects, and those that do not yet.
    private func divide(_ touched: LocalChangeReader.Touched) throws -> (edited: [TouchedRow], inserted: [TouchedRow]) {
        var (edited, inserted): ([TouchedRow], [TouchedRow]) = ([], [])
        for (number, keys) in touched.changed.sorted(by: { $0.key < $1.key }) {
            guard let entity = finder.mapping.entities.first(where: { $0.layout.number == number }) else { continue }
            let root = finder.mapping.root(of: entity.layout)
            for key in keys.sorted() {
                let isKnown = try map.identity(of: IdentityMap.Row(root: root, key: key)) != nil
                if isKnown { edited.append((number, key)) } else { inserted.append((number, key)) }
            }
        }
        return (edited, inserted)
    }

    private func rows(_ touched: some Collection<TouchedRow>) throws -> [RowFinder.Found] {
        let byLayout = Dictionary(grouping: touched, by: \.layout).sorted { $0.key < $1.key }
        return try byLayout.flatMap { number, rows in try self.rows(number, rows.map(\.key)) }
    }

    private func rows(_ number: Int, _ keys: [Int64]) throws -> [RowFinder.Found] {
        guard let entity = finder.mapping.entities.first(where: { $0.layout.number == number }) else { return [] }
        return try finder.rows(entity.layout, keys)
    }

    private func save(
        _ rows: [RowFinder.Found], deleted: Set<ObjectIdentity> = [], hasLinks: Bool = true
    ) throws {
        guard let engine else { throw SyncError.notJoined }
        let storage = storage
        var builder = LocalChangeBuilder(finder, map) { try engine.row($0, storage) }
        var changes = try builder.changes(rows, hasLinks: hasLinks)
        let new = try newAttributes()
        if !new.isEmpty { changes = try changes.map { try withoutWritten(new, $0) } }
        for object in deleted.sorted() {
            changes.append(LocalChange(.known(object), .delete))
            try map.remove(object)
        }
        guard !changes.isEmpty else { return }
        if engine.configuration.role == .reader { try RefusedWrites(self).add(changes) }
        try handle(.saved(changes, at: now), places: builder.places)
    }
}
