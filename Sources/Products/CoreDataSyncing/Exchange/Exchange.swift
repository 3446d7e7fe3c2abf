import CoreDataStore
import CoreDataSync

/// One exchange of a store with a transport: what is new there is read and applied, what is new here is written.
///
/// The store is locked while items are applied, never while they are read or written.
struct Exchange {
    /// How much is applied in one transaction of the store.
    private static let greatestPortion = 8 << 20
    /// How many items of transactions this peer has before they are made one.
    private static let greatestItemCount = 64
    /// The time between two ticks of an engine that waits for nothing, in milliseconds.
    private static let tickInterval: UInt64 = 60_000
    /// How many transactions that no item has are written again in one exchange.
    private static let greatestRepeat = 20_000

    let store: SyncedStore
    let transport: any SyncTransport
    private let tidiness: Tidiness
    var summary = SyncSummary()
    private var listing: [String: SyncItem] = [:]
    /// The chunks of large values that the transport has.
    var chunks = ChunkTransfer()
    /// Why an item could not be written: the exchange reads on, and fails in the end.
    var writeFailure: (any Error)?
    /// Why the first chunk of those that could not be read could not be.
    var readFailure: (any Error)?
    var readFailures = 0
    var records: [String: ItemRecord] = [:]
    /// The items that were read although their records say that they are known.
    private var readAgain: Set<String> = []
    /// What each peer has by its last greeting.
    private var greetings: [PeerID: VersionVector] = [:]
    /// The identities by which others address this peer.
    private(set) var identities: Set<PeerID> = []
    /// Those for whom this peer wrote items that are gone, so that a baseline may lack parts.
    private var peersOfLostItems: Set<PeerID> = []
    /// A transaction of this store that an item has and the store has not.
    private var seen: (identity: PeerID, sequence: UInt64)?

    init(_ store: SyncedStore, _ transport: any SyncTransport, _ tidiness: Tidiness = .usual) {
        self.tidiness = tidiness
        self.store = store
        self.transport = transport
    }

    /// Carries the exchange out.
    ///
    /// - Parameter comparing: Whether all rows are compared, for edits that the history does not have.
    /// - Throws: `SyncError`, and errors of the store.
    mutating func run(comparing: Bool = false) throws -> SyncSummary {
        do {
            return try runOnce(comparing: comparing)
        } catch let error as RestoredStore {
            // Opened again, the store takes another identity.
            store.close()
            seen = (error.identity, error.sequence)
            return try runOnce(comparing: comparing)
        }
    }

    private mutating func runOnce(comparing: Bool) throws -> SyncSummary {
        readAgain = []
        (writeFailure, readFailure, readFailures) = (nil, nil, 0)
        let items = try transport.items()
        chunks = ChunkTransfer(items)
        listing = Dictionary(
            items.filter { ItemNames.chunk($0.name) == nil }.map { ($0.name, $0) },
            uniquingKeysWith: { first, _ in first })
        chunks.looksForUnused = !store.isChecked
        if !store.isChecked { try check() }
        try transact(comparing: comparing) { exchange, transaction, outbox in
            try exchange.dropLost(transaction)
            try exchange.tick(transaction)
        }
        repeat {
            while true {
                let items = unread()
                guard !items.isEmpty else { break }
                try apply(items)
            }
        } while try fetchChunks()
        try transact { exchange, transaction, outbox in
            try exchange.answerWaiting(transaction)
            try exchange.repeatMissing(transaction, &outbox)
            try exchange.tidy(transaction, &outbox)
            exchange.askForChunks(transaction, &outbox)
            outbox.greet(transaction, &exchange.records)
        }
        if let failure = writeFailure ?? readFailure { throw failure }
        return summary
    }

    /// Reads what the transport has of this store before the first capture: a save that is captured by a store which was put back would
    /// get the number of one that others have.
    private mutating func check() throws {
        let identity = try store.transaction { transaction in
            try load(transaction)
            return transaction.engine?.meta.identity
        }
        if let identity {
            for (name, item) in listing where name.hasPrefix(identity.description) && records[name] == nil {
                guard let bytes = try transport.read(item, atMost: SyncFrame.greatestSize),
                    case .transactions(let transactions)? = try? SyncFrame.decode(bytes),
                    let last = Outbox.ranges(transactions)[identity]?.upperBound
                else { continue }
                seen = (identity, max(last, seen?.sequence ?? 0))
            }
        }
        store.isChecked = true
        if seen != nil { store.close() }
    }

    /// Runs a transaction of the store, then writes and removes the items that it leads to.
    mutating func transact(
        comparing: Bool = false, _ body: (inout Exchange, StoreTransaction, inout Outbox) throws -> Void
    ) throws {
        var copy = self
        var outbox = Outbox()
        try store.transaction(comparing: comparing, highWater: highWater) { transaction in
            try copy.load(transaction)
            try body(&copy, transaction, &outbox)
            try outbox.fill(transaction, &copy.records)
            copy.summary.add(transaction)
            try copy.chunks.note(outbox.chunks, transaction)
            if let meta = transaction.engine?.meta { copy.identities = [meta.identity, meta.nextIdentity] }
        }
        self = copy
        try deliver(outbox)
    }

    /// The greatest sequence of an identity in items that were read: the store is behind it if it was restored.
    private func highWater(_ identity: PeerID) -> UInt64? { seen?.identity == identity ? seen?.sequence : nil }

    private mutating func load(_ transaction: StoreTransaction) throws {
        records = [:]
        try chunks.load(transaction)
        greetings = try KeptGreeting.all(transaction.side).mapValues(\.greeting.applied)
        for entry in try transaction.side.sideEntries(withPrefix: [AdapterKey.item]) {
            let name = String(decoding: entry.key.dropFirst(), as: UTF8.self)
            records[name] = ItemRecord(String(decoding: entry.value ?? [], as: UTF8.self))
        }
    }

    /// Gives the engine the time, unless it has it and waits for nothing: a tick writes to the store.
    private func tick(_ transaction: StoreTransaction) throws {
        guard let engine = transaction.engine else { return }
        let (last, now) = (engine.meta.lastTick, transaction.now)
        let isDue = now < last || now - last >= Self.tickInterval
        guard isDue || engine.meta.rebase != nil || !engine.waiting.isEmpty else { return }
        try transaction.handle(.tick(at: now, spare: .random()))
    }

    /// Forgets the records of items that are gone; what they had counts as missing again.
    private mutating func dropLost(_ transaction: StoreTransaction) throws {
        for (name, record) in records where listing[name] == nil {
            if record.state == .own, let peer = record.addressee { peersOfLostItems.insert(peer) }
            records[name] = nil
            transaction.note([AdapterKey.item] + name.utf8, nil)
        }
    }

    // MARK: Reading

    /// The items to read, by name. Greetings come last: a peer that begins again must not be retired before what it wrote was read.
    private func unread() -> [SyncItem] {
        listing.values.filter { item in
            guard !readAgain.contains(item.name) else { return false }
            if let addressee = ItemNames.addressee(item.name), !identities.contains(addressee) { return false }
            guard let record = records[item.name], record.isCurrent(item) else { return true }
            return record.state == .waiting || record.state == .unreadable
        }.sorted { (ItemNames.isGreeting($0.name) ? 1 : 0, $0.name) < (ItemNames.isGreeting($1.name) ? 1 : 0, $1.name) }
    }

    private mutating func apply(_ items: [SyncItem]) throws {
        var portion: [(item: SyncItem, content: Content)] = []
        var size = 0
        for item in items {
            readAgain.insert(item.name)
            guard item.size <= SyncFrame.greatestSize else {
                portion.append((item, .bytes([])))
                continue
            }
            do {
                guard let bytes = try transport.read(item, atMost: SyncFrame.greatestSize + 1) else { continue }
                portion.append((item, .bytes(bytes)))
                size += bytes.count
            } catch {
                portion.append((item, .failure(error)))
            }
            guard size >= Self.greatestPortion else { continue }
            try apply(portion)
            (portion, size) = ([], 0)
        }
        if !portion.isEmpty { try apply(portion) }
    }

    /// What reading an item gave.
    private enum Content {
        case bytes([UInt8])
        case failure(any Error)
    }

    private mutating func apply(_ portion: [(item: SyncItem, content: Content)]) throws {
        var hasChangedState = false
        try transact { exchange, transaction, outbox in
            let before = transaction.engine?.meta.rebase != nil
            for (item, content) in portion {
                if let own = exchange.records[item.name], own.state == .own { continue }
                switch content {
                case .bytes(let bytes): try exchange.apply(item, bytes, transaction)
                case .failure(let error): exchange.noteUnreadable(item, error, transaction)
                }
            }
            hasChangedState = before && transaction.engine?.meta.rebase == nil
            exchange.settleWaiting(transaction)
        }
        if hasChangedState { readWaitingAgain() }
    }

    /// After a baseline the transactions that were passed over count.
    mutating func readWaitingAgain() { readAgain = readAgain.filter { records[$0]?.state != .waiting } }

    private mutating func apply(_ item: SyncItem, _ bytes: [UInt8], _ transaction: StoreTransaction) throws {
        var record = ItemRecord(.done, size: item.size, stamp: item.stamp)
        summary.readBytes += bytes.count
        do {
            guard item.size <= SyncFrame.greatestSize else { throw FormatError(.tooLarge, at: 0) }
            guard bytes.count == item.size else { throw FormatError(.truncated, at: bytes.count) }
            let frame = try DecodedFrame(bytes)
            switch frame.message {
            case .transactions(let transactions):
                record.ranges = Outbox.ranges(transactions)
                record.state = .waiting
                try checkOwn(record, transaction)
            case .greeting(let greeting):
                // A copy of an older greeting may be read after a newer one.
                if let known = greetings[greeting.sender], known != greeting.applied, known.covers(greeting.applied) {
                    break
                }
                greetings[greeting.sender] = greeting.applied
                transaction.note(
                    KeptGreeting.key(greeting.sender), KeptGreeting.bytes(bytes, at: transaction.now))
            case .baseline, .retired: record.addressee = ItemNames.addressee(item.name)
            case .wantedChunks(let digests):
                try serve(digests, transaction)
                return set(record, item.name, transaction)
            case .chunk: break
            }
            try transaction.handle(.decoded(frame, at: transaction.now))
        } catch let error as FormatError {
            record.state = .refused
            summary.refused.append(SyncSummary.Refusal(item: item.name, reason: error.description))
        }
        set(record, item.name, transaction)
    }

    /// Keeps that an item could not be read: it is said once, and the item is read again in each exchange, unless the transport refuses
    /// it for good.
    private mutating func noteUnreadable(_ item: SyncItem, _ error: any Error, _ transaction: StoreTransaction) {
        let state: ItemRecord.State = (error as? SyncError)?.code == .refusedItem ? .refused : .unreadable
        // A refused item is read again only when it has changed.
        let isNew = state == .refused || records[item.name]?.state != .unreadable
        if isNew { summary.refused.append(SyncSummary.Refusal(item: item.name, reason: "\(error)")) }
        set(ItemRecord(state, size: item.size, stamp: item.stamp), item.name, transaction)
    }

    /// - Throws: `RestoredStore` if an item has transactions of this store that the store has not.
    private func checkOwn(_ record: ItemRecord, _ transaction: StoreTransaction) throws {
        guard let meta = transaction.engine?.meta, meta.rebase == nil,
            let last = record.ranges[meta.identity]?.upperBound,
            last > meta.applied[meta.identity]
        else { return }
        throw RestoredStore(identity: meta.identity, sequence: last)
    }

    private mutating func set(_ record: ItemRecord, _ name: String, _ transaction: StoreTransaction) {
        guard records[name] != record else { return }
        records[name] = record
        transaction.note([AdapterKey.item] + name.utf8, Array(record.text.utf8))
    }

    /// Marks items as done whose transactions were all applied.
    mutating func settleWaiting(_ transaction: StoreTransaction) {
        guard let meta = transaction.engine?.meta, meta.rebase == nil else { return }
        for (name, record) in records where record.state == .waiting {
            let isApplied = record.ranges.allSatisfy { meta.applied[$0.key] >= $0.value.upperBound }
            guard isApplied else { continue }
            var done = record
            done.state = .done
            set(done, name, transaction)
        }
    }

    // MARK: Writing

    /// Lets the engine answer peers again that wait for the whole state, until this peer has all its items for them: the first answer to
    /// one that begins again is that its former identity is retired.
    private func answerWaiting(_ transaction: StoreTransaction) throws {
        guard let meta = transaction.engine?.meta, meta.rebase == nil else { return }
        for (sender, kept) in try KeptGreeting.all(transaction.side) where sender != meta.identity {
            guard kept.greeting.applied.isEmpty, meta.acknowledged[sender]?.isEmpty ?? true,
                peersOfLostItems.contains(sender)
                    || !records.values.contains(where: { $0.state == .own && $0.addressee == sender })
            else { continue }
            try transaction.handle(.received(SyncFrame.encode(.greeting(kept.greeting)), at: transaction.now))
        }
    }

    /// Writes transactions again that a peer lacks and that are in no item.
    private func repeatMissing(_ transaction: StoreTransaction, _ outbox: inout Outbox) throws {
        guard let engine = transaction.engine, engine.meta.rebase == nil else { return }
        let meta = engine.meta
        let present = TransactionRanges(records.values.flatMap { $0.ranges.map { ($0.key, $0.value) } })
        var missing: Set<TransactionID> = []
        let members = meta.members.keys.filter { $0 != meta.identity && meta.retired[$0] == nil }
        let vectors = members.compactMap { meta.acknowledged[$0] }.filter { !$0.isEmpty }
        for has in vectors + (try KeptGreeting.strangers(transaction).map(\.applied)) {
            for last in meta.applied.sorted where has[last.author] < last.sequence {
                let first = max(has[last.author], meta.floor[last.author]) + 1
                guard first <= last.sequence else { continue }
                let limit = Self.greatestRepeat - missing.count
                missing.formUnion(present.missing(last.author, first...last.sequence, atMost: max(0, limit)))
            }
        }
        guard !missing.isEmpty else { return }
        var known = records
        outbox.add(try engine.transactions(missing.sorted(), transaction.storage), transaction, &known)
    }

    /// Removes items of this peer that everybody has, and makes many small ones one.
    private mutating func tidy(_ transaction: StoreTransaction, _ outbox: inout Outbox) throws {
        guard let engine = transaction.engine, engine.meta.rebase == nil else { return }
        let meta = engine.meta
        let stable = try KeptGreeting.stable(transaction)
        var small: [String] = []
        let writing = Set(outbox.items.map(\.name))
        for (name, record) in records where record.state == .own && !writing.contains(name) {
            if let peer = record.addressee {
                if meta.acknowledged[peer]?.isEmpty == false, name.contains("-b-") {
                    outbox.remove(name, transaction, &records)
                }
            } else if !record.ranges.isEmpty {
                if record.ranges.allSatisfy({ stable[$0.key] >= $0.value.upperBound }) {
                    outbox.discard(name, transaction, &records)
                } else if record.ranges.keys.elementsEqual([meta.identity]) {
                    small.append(name)
                }
            }
        }
        removeItemsOfRetired(stable, meta, transaction, &outbox)
        let greatest = tidiness == .usual ? Self.greatestItemCount : 1
        if small.count > greatest { try join(small, engine, transaction, &outbox) }
        let waiting = stable.sorted.reduce(0) { $0 + ($1.sequence - min($1.sequence, meta.floor[$1.author])) }
        try compact(transaction, &outbox, isLong: waiting >= 500 || tidiness == .thorough)
    }

    /// Removes items of peers that take part no longer, and remove none themselves, once everybody has what is in them.
    private mutating func removeItemsOfRetired(
        _ stable: VersionVector, _ meta: SyncMeta, _ transaction: StoreTransaction, _ outbox: inout Outbox
    ) {
        for (name, record) in records where record.state == .done && !record.ranges.isEmpty {
            guard let writer = ItemNames.writer(name), meta.retired[writer] != nil,
                record.ranges.allSatisfy({ stable[$0.key] >= $0.value.upperBound })
            else { continue }
            outbox.discard(name, transaction, &records)
        }
    }

    private mutating func join(
        _ names: [String], _ engine: SyncEngine, _ transaction: StoreTransaction, _ outbox: inout Outbox
    ) throws {
        let stable = try KeptGreeting.stable(transaction)[engine.meta.identity]
        let wanted = names.flatMap { name -> [TransactionID] in
            guard let range = records[name]?.ranges[engine.meta.identity] else { return [] }
            return range.filter { $0 > stable }.map { TransactionID(engine.meta.identity, $0) }
        }
        let transactions = try engine.transactions(Set(wanted).sorted(), transaction.storage)
        guard transactions.count == Set(wanted).count else { return }
        for name in names { outbox.remove(name, transaction, &records) }
        outbox.add(transactions, transaction, &records)
    }
}

/// A store is behind what it wrote: it was put back from an older copy.
private struct RestoredStore: Error {
    let identity: PeerID
    let sequence: UInt64
}
