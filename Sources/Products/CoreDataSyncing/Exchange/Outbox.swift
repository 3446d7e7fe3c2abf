import CoreDataSync

/// The items that a transaction of the store wants written: their records are committed with it, so that an item that was never written
/// is noticed by its record and written again.
struct Outbox {
    private(set) var items: [(name: String, content: Content)] = []

    /// The bytes of an item, or where they were kept.
    enum Content {
        case bytes([UInt8])
        case kept(Spool.Place)

        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .kept(let place): place.count
            }
        }

        /// - Throws: An error of the system.
        func bytes() throws -> [UInt8] {
            switch self {
            case .bytes(let bytes): bytes
            case .kept(let place): try place.bytes()
            }
        }
    }

    /// The names of items of this peer that are of no use any more.
    var removals: [String] = []
    /// The names of items that are of no use, whatever is written.
    private(set) var obsolete: [String] = []
    /// The chunks that the items name.
    private(set) var chunks: [LargeValue.Chunk] = []

    /// Makes items of what the engine wants sent, leaving out transactions that are in an item already and those that all peers have.
    mutating func fill(_ transaction: StoreTransaction, _ records: inout [String: ItemRecord]) throws {
        for frame in transaction.takeFrames() {
            // Greetings are made of what is known at the end of an exchange.
            guard case .retired(let peer, _) = try SyncFrame.decode(frame.bytes) else { continue }
            add(frame.bytes, to: peer, transaction, &records)
        }
        add(transaction.takeBaselines(), transaction, &records)
        var sent: [TransactionID: SyncTransaction] = [:]
        for one in transaction.takeTransactions() { sent[one.id] = one }
        guard !sent.isEmpty else { return }
        let present = TransactionRanges(records.values.flatMap { $0.ranges.map { ($0.key, $0.value) } })
        let stable = try KeptGreeting.stable(transaction)
        let missing = sent.values.filter { !present.contains($0.id) && !stable.covers($0.id) }
        add(missing.sorted { $0.id < $1.id }, transaction, &records)
    }

    /// Makes items of transactions.
    mutating func add(
        _ transactions: [SyncTransaction], _ transaction: StoreTransaction, _ records: inout [String: ItemRecord]
    ) {
        guard let writer = transaction.engine?.meta.identity else { return }
        for portion in SyncFrame.portions(of: transactions) {
            let bytes = SyncFrame.encode(.transactions(portion))
            let name = ItemNames.name(writer, .transactions, nil, bytes)
            var record = ItemRecord(.own, size: bytes.count, stamp: "")
            record.ranges = Self.ranges(portion)
            chunks += portion.flatMap(\.chunks)
            note(name, .bytes(bytes), record, transaction, &records)
        }
    }

    /// The first runs of consecutive transactions of each author; later ones, after a gap, are not noted.
    static func ranges(_ transactions: [SyncTransaction]) -> [PeerID: ClosedRange<UInt64>] {
        var ranges: [PeerID: ClosedRange<UInt64>] = [:]
        for id in transactions.map(\.id).sorted() {
            guard let range = ranges[id.author] else {
                ranges[id.author] = id.sequence...id.sequence
                continue
            }
            if range.upperBound &+ 1 == id.sequence { ranges[id.author] = range.lowerBound...id.sequence }
        }
        return ranges
    }

    /// Makes the peer's greeting, if it says something else than the last one.
    mutating func greet(_ transaction: StoreTransaction, _ records: inout [String: ItemRecord]) {
        guard let engine = transaction.engine else { return }
        let greeting = engine.greeting
        let bytes = SyncFrame.encode(.greeting(greeting))
        // A greeting a day says that the peer is there, although it has nothing to say.
        let day = String(transaction.now / 86_400_000)
        let name = ItemNames.name(greeting.sender, .greeting, day, bytes)
        let prefix = "\(greeting.sender)-\(ItemNames.Kind.greeting.rawValue)-"
        for (other, record) in records where other != name && record.state == .own && other.hasPrefix(prefix) {
            remove(other, transaction, &records)
        }
        guard records[name] == nil else { return }
        note(name, .bytes(bytes), ItemRecord(.own, size: bytes.count, stamp: ""), transaction, &records)
    }

    /// Makes items of a baseline's parts.
    mutating func add(
        _ baselines: [KeptBaseline], _ transaction: StoreTransaction, _ records: inout [String: ItemRecord]
    ) {
        guard let writer = transaction.engine?.meta.identity else { return }
        for baseline in baselines {
            // A peer that waits for a baseline reads the newest one only, all parts of it.
            removeItems(
                .baseline, to: baseline.peer, writer, except: Set(baseline.parts.map(\.name)), transaction, &records)
            chunks += baseline.chunks
            for part in baseline.parts where records[part.name] == nil {
                var record = ItemRecord(.own, size: part.place.count, stamp: "")
                record.addressee = baseline.peer
                note(part.name, .kept(part.place), record, transaction, &records)
            }
        }
    }

    private mutating func add(
        _ bytes: [UInt8], to peer: PeerID?, _ transaction: StoreTransaction, _ records: inout [String: ItemRecord]
    ) {
        guard let peer, let writer = transaction.engine?.meta.identity else { return }
        let name = ItemNames.name(writer, .retirement, peer.description, bytes)
        guard records[name] == nil else { return }
        removeItems(.retirement, to: peer, writer, except: [name], transaction, &records)
        var record = ItemRecord(.own, size: bytes.count, stamp: "")
        record.addressee = peer
        note(name, .bytes(bytes), record, transaction, &records)
    }

    private mutating func removeItems(
        _ kind: ItemNames.Kind, to peer: PeerID, _ writer: PeerID, except kept: Set<String>,
        _ transaction: StoreTransaction, _ records: inout [String: ItemRecord]
    ) {
        let prefix = "\(writer)-\(kind.rawValue)-\(peer)-"
        for (other, record) in records where record.state == .own && other.hasPrefix(prefix) && !kept.contains(other) {
            remove(other, transaction, &records)
        }
    }

    private mutating func note(
        _ name: String, _ content: Content, _ record: ItemRecord, _ transaction: StoreTransaction,
        _ records: inout [String: ItemRecord]
    ) {
        items.append((name, content))
        removals.removeAll { $0 == name }
        records[name] = record
        transaction.note([AdapterKey.item] + name.utf8, Array(record.text.utf8))
    }

    /// Asks for chunks, if others are asked for than before; none end the asking.
    ///
    /// - Parameter detail: What makes the request another one although the chunks are the same.
    mutating func ask(
        for digests: [ChunkDigest], _ detail: String, _ transaction: StoreTransaction,
        _ records: inout [String: ItemRecord]
    ) {
        guard let writer = transaction.engine?.meta.nextIdentity else { return }
        let bytes = SyncFrame.encode(.wantedChunks(digests))
        let name = digests.isEmpty ? nil : ItemNames.name(writer, .wanted, detail, bytes)
        let prefix = "-\(ItemNames.Kind.wanted.rawValue)-"
        for (other, record) in records
        where other != name && record.state == .own && other.dropFirst(16).hasPrefix(prefix) {
            discard(other, transaction, &records)
        }
        guard let name, records[name] == nil else { return }
        note(name, .bytes(bytes), ItemRecord(.own, size: bytes.count, stamp: ""), transaction, &records)
    }

    /// Removes an item that is of no use.
    mutating func discard(
        _ name: String, _ transaction: StoreTransaction, _ records: inout [String: ItemRecord]
    ) {
        remove(name, transaction, &records)
        obsolete.append(name)
    }

    /// Removes items of chunks that nothing names.
    mutating func discard(chunks names: [String]) {
        removals += names
        obsolete += names
    }

    /// Removes an item of this peer.
    mutating func remove(
        _ name: String, _ transaction: StoreTransaction, _ records: inout [String: ItemRecord]
    ) {
        removals.append(name)
        items.removeAll { $0.name == name }
        records[name] = nil
        transaction.note([AdapterKey.item] + name.utf8, nil)
    }
}
