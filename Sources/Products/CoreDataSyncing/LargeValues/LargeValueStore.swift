import CoreDataModeling
import CoreDataStore
import CoreDataSync
import Foundation

/// The large values of a store's rows: cuts those that are read into chunks, which it keeps in the side table, and joins those that are
/// written.
///
/// The engine has the chunks' digests only. Their bytes stay in the side table as long as a record or a transaction of the log names them:
/// the row has them only until the next save.
final class LargeValueStore {
    /// How many bytes of chunks are written to the side table at once.
    private static let portion = 8 << 20

    private let side: any SideTableKeeping
    private let cutter: ChunkCutter
    private let now: UInt64

    init(_ side: any SideTableKeeping, _ cutter: ChunkCutter, now: UInt64) {
        self.side = side
        self.cutter = cutter
        self.now = now
    }

    // MARK: Cutting

    /// A value in chunks; nil for what travels whole.
    func value(
        _ stored: StoredValue, _ kind: AttributeKind, _ attribute: NSAttributeDescription,
        from store: (any LargeValueKeeping)?
    ) throws -> SyncValue? {
        switch (kind, stored.tag) {
        case (.string, RowTag.text): return try cut(stored.bytes, .string)
        case (.uri, RowTag.text): return try cut(stored.bytes, .uri)
        case (.binary, RowTag.blob), (.transformable, RowTag.blob):
            guard attribute.allowsExternalBinaryDataStorage, let store else { return try cut(stored.bytes, .data) }
            let data = try store.largeValue(stored: stored.bytes)
            return try data.withUnsafeBytes { try cut($0, .data) } ?? .data(Array(data))
        default: return nil
        }
    }

    private func cut(_ bytes: UnsafeRawBufferPointer, _ kind: LargeValue.Kind) throws -> SyncValue? {
        guard bytes.count > cutter.threshold, bytes.count <= LargeValue.greatestSize else { return nil }
        var chunks: [LargeValue.Chunk] = []
        var entries: [SideEntry] = []
        var size = 0
        try cutter.cut(bytes) { part in
            let content = Array(part)
            guard let digest = ChunkDigest.sha256(of: content) else { return }
            chunks.append(LargeValue.Chunk(digest: digest, size: content.count))
            let storage = StoreStorage(side: side)
            guard try !ChunkTable.contains(digest, storage) else { return }
            let known = try ChunkTable.entry(of: digest, storage)
            entries += try ChunkTable.entries(digest, content, at: now, known: known)
                .map { SideEntry(key: $0.key, value: $0.value) }
            size += content.count
            guard size >= Self.portion else { return }
            try side.writeSideEntries(entries)
            (entries, size) = ([], 0)
        }
        if !entries.isEmpty { try side.writeSideEntries(entries) }
        return .large(LargeValue(kind, chunks: chunks))
    }

    // MARK: Joining

    /// A value as it travels whole.
    ///
    /// - Throws: `SyncError` with the code `damagedState` if a chunk is missing.
    func whole(_ value: SyncValue) throws -> SyncValue {
        guard case .large(let large) = value else { return value }
        let storage = StoreStorage(side: side)
        var size = 0
        for chunk in large.chunks { size += try ChunkTable.size(of: chunk.digest, storage) ?? 0 }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        for chunk in large.chunks {
            guard let content = try side.sideValue(for: ChunkTable.contentKey(chunk.digest)) else {
                throw SyncError(
                    .damagedState, "A part of a large value is missing in the state of sync: \(chunk.digest).",
                    cure: SyncError.cureOfState)
            }
            bytes += content
        }
        switch large.kind {
        case .string: return .string(String(decoding: bytes, as: UTF8.self))
        case .uri: return .uri(String(decoding: bytes, as: UTF8.self))
        case .data: return .data(bytes)
        }
    }
}

extension ChunkDigest {
    /// The SHA-256 of bytes.
    package static func sha256(of bytes: [UInt8]) -> ChunkDigest? { ChunkDigest(SHA2.sha256(bytes)) }
}
