import CoreDataStore
import CoreDataSync

/// What an exchange knows of the chunks on its transport.
struct ChunkTransfer {
    /// The items of each chunk by their names; a name is a hint, and the bytes are checked.
    private(set) var items: [ChunkDigest: [SyncItem]] = [:]
    /// The items whose bytes were not those of their chunk, with their sizes and stamps.
    private(set) var damaged: [String: String] = [:]
    /// Whether chunks are to be written.
    private(set) var isUploading = false
    /// The chunks that changes of peers wait for.
    private(set) var missing: [LargeValue.Chunk] = []
    /// Whether items are looked for that nothing names.
    var looksForUnused = false

    init(_ listing: [SyncItem] = []) {
        for item in listing {
            if let digest = ItemNames.chunk(item.name) { items[digest, default: []].append(item) }
        }
    }

    mutating func load(_ transaction: StoreTransaction) throws {
        damaged = [:]
        for entry in try transaction.side.sideEntries(withPrefix: [AdapterKey.damagedChunk]) {
            let name = String(decoding: entry.key.dropFirst(), as: UTF8.self)
            damaged[name] = String(decoding: entry.value ?? [], as: UTF8.self)
        }
    }

    // MARK: Items

    private static func text(_ item: SyncItem) -> String { "\(item.size) \(item.stamp)" }

    func isDamaged(_ item: SyncItem) -> Bool { damaged[item.name] == Self.text(item) }

    /// The items that may have a chunk: of the size that it takes, and not known to be damaged.
    func candidates(_ digest: ChunkDigest, size: Int) -> [SyncItem] {
        (items[digest] ?? []).filter { $0.size == SyncFrame.size(ofChunk: size) && !isDamaged($0) }
    }

    mutating func wrote(_ item: SyncItem, _ digest: ChunkDigest) {
        items[digest, default: []].removeAll { $0.name == item.name }
        items[digest, default: []].append(item)
    }

    mutating func noteDamage(_ item: SyncItem, _ transaction: StoreTransaction) {
        damaged[item.name] = Self.text(item)
        transaction.note([AdapterKey.damagedChunk] + item.name.utf8, Array(Self.text(item).utf8))
    }

    /// Forgets what is known of damaged items that are gone or have changed.
    mutating func forgetDamage(_ transaction: StoreTransaction) {
        let present = Set(items.values.joined().filter { isDamaged($0) }.map(\.name))
        for name in damaged.keys where !present.contains(name) {
            damaged[name] = nil
            transaction.note([AdapterKey.damagedChunk] + name.utf8, nil)
        }
    }

    // MARK: What is to be done

    static func uploadKey(_ digest: ChunkDigest) -> [UInt8] { [AdapterKey.upload] + digest.bytes }

    /// Notes the chunks of items that are going to be written, and what the engine waits for.
    mutating func note(_ chunks: [LargeValue.Chunk], _ transaction: StoreTransaction) throws {
        var known: Set<ChunkDigest> = []
        for chunk in chunks where candidates(chunk.digest, size: chunk.size).isEmpty {
            guard known.insert(chunk.digest).inserted else { continue }
            transaction.note(Self.uploadKey(chunk.digest), [0])
            isUploading = true
        }
        if try !transaction.side.sideEntries(withPrefix: [AdapterKey.upload]).isEmpty { isUploading = true }
        missing = transaction.engine?.missingChunks ?? []
    }

    /// Notes a chunk that a peer asks for.
    mutating func noteRequest(_ digest: ChunkDigest, isChecked: Bool, _ transaction: StoreTransaction) {
        transaction.note(Self.uploadKey(digest), [isChecked ? 1 : 0])
        isUploading = true
    }

    mutating func uploaded() { isUploading = false }
}
