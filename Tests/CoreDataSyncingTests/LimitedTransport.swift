import CoreDataSyncing
import Synchronization

/// A transport over one in memory that counts, breaks off and has only so much room.
final class LimitedTransport: SyncTransport {
    struct Limits {
        /// How many bytes may be there at once.
        var room = Int.max
        /// How many more chunks are written, and read, before the connection breaks.
        var chunkWrites = Int.max
        var chunkReads = Int.max
    }

    struct Counts {
        var chunkBytes = 0
        var otherBytes = 0
        var readChunkBytes = 0
    }

    let base: MemoryTransport
    let limits = Mutex(Limits())
    let counts = Mutex(Counts())

    init(_ base: MemoryTransport) { self.base = base }

    var title: String { base.title }

    static func isChunk(_ name: String) -> Bool { name.contains("-c-") }

    private static let broken = SyncError(.transport, "The connection broke.", cure: "Exchange again.")

    func items() throws -> [SyncItem] { try base.items() }

    func read(_ item: SyncItem, atMost limit: Int) throws -> [UInt8]? {
        let isChunk = Self.isChunk(item.name)
        if isChunk {
            try limits.withLock { limits in
                guard limits.chunkReads > 0 else { throw Self.broken }
                limits.chunkReads -= 1
            }
        }
        let bytes = try base.read(item, atMost: limit)
        if isChunk { counts.withLock { $0.readChunkBytes += bytes?.count ?? 0 } }
        return bytes
    }

    func write(_ bytes: [UInt8], named name: String) throws {
        let isChunk = Self.isChunk(name)
        try limits.withLock { limits in
            if isChunk {
                guard limits.chunkWrites > 0 else { throw Self.broken }
                limits.chunkWrites -= 1
            }
            let others = base.contents.reduce(0) { $0 + ($1.key == name ? 0 : $1.value.count) }
            guard others + bytes.count <= limits.room else {
                throw SyncError(.transport, "There is no room.", cure: "Make room; the next exchange goes on.")
            }
        }
        try base.write(bytes, named: name)
        counts.withLock { counts in
            if isChunk { counts.chunkBytes += bytes.count } else { counts.otherBytes += bytes.count }
        }
    }

    func remove(_ name: String) throws { try base.remove(name) }
}
