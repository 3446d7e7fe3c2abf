import CoreDataSync

/// The items that a transaction of the store wants written: their records are committed with it, so that an item that was never written
/// is noticed by its record and written again.
struct Outbox {
    private(set) var items: [(name: String, bytes: [UInt8])] = []
    /// The names of items of this peer that are of no use any more.
    var removals: [String] = []
    /// The names of items that are of no use, whatever is written.
    private(set) var obsolete: [String] = []
    /// The chunks that the items name.
    private(set) var chunks: [LargeValue.Chunk] = []

    /// Makes items of the frames that the engine wants sent, leaving out transactions that are in an item already and those that all
    /// peers have.
    mutating func add(
        _ frames: [(bytes: [UInt8], peer: PeerID?)], _ transaction: StoreTransaction,
        _ records: inout [String: ItemRecord]
    ) throws {
        var transactions: [TransactionID: SyncTransaction] = [:]
        for frame in frames {
            switch try SyncFrame.decode(frame.bytes) {
            case .transactions(let sent): for one in sent { transactions[one.id] = one }
            case .baseline(let baseline):
                chunks += baseline.objects.flatMap(\.record.chunks)
                add(
                    frame.bytes, .baseline, to: frame.peer, transaction, &records, isFirst: baseline.part == 0)
            case .retired(let peer, _): add(frame.bytes, .retirement, to: peer, transaction, &records)
            case .greeting, .wantedChunks, .chunk: continue
            }
        }
        let present = TransactionRanges(records.values.flatMap { $0.ranges.map { ($0.key, $0.value) } })
        let stable = try KeptGreeting.stable(transaction)
        let missing = transactions.values.filter { !present.contains($0.id) && !stable.covers($0.id) }
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
            note(name, bytes, record, transaction, &records)
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
        note(name, bytes, ItemRecord(.own, size: bytes.count, stamp: ""), transaction, &records)
    }

    private mutating func add(
        _ bytes: [UInt8], _ kind: ItemNames.Kind, to peer: PeerID?, _ transaction: StoreTransaction,
        _ records: inout [String: ItemRecord], isFirst: Bool = true
    ) {
        guard let peer, let writer = transaction.engine?.meta.identity else { return }
        let name = ItemNames.name(writer, kind, peer.description, bytes)
        guard records[name] == nil else { return }
        // A peer that waits for a baseline reads the newest one only, all parts of it.
        let prefix = "\(writer)-\(kind.rawValue)-\(peer)-"
        for (other, record) in records where isFirst && record.state == .own && other.hasPrefix(prefix) {
            remove(other, transaction, &records)
        }
        var record = ItemRecord(.own, size: bytes.count, stamp: "")
        record.addressee = peer
        note(name, bytes, record, transaction, &records)
    }

    private mutating func note(
        _ name: String, _ bytes: [UInt8], _ record: ItemRecord, _ transaction: StoreTransaction,
        _ records: inout [String: ItemRecord]
    ) {
        items.append((name, bytes))
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
        note(name, bytes, ItemRecord(.own, size: bytes.count, stamp: ""), transaction, &records)
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
