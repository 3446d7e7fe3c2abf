import CoreDataSyncing
import Synchronization

/// A transport over another one whose connection breaks after so many items were read or written.
final class BreakingTransport: SyncTransport {
    private let base: any SyncTransport
    let readsLeft = Mutex(Int.max)
    let writesLeft = Mutex(Int.max)

    init(_ base: any SyncTransport) { self.base = base }

    var title: String { base.title }

    private static func use(_ left: borrowing Mutex<Int>) throws {
        try left.withLock { left in
            guard left > 0 else { throw SyncError(.transport, "The connection broke.", cure: "Exchange again.") }
            left -= 1
        }
    }

    func items() throws -> [SyncItem] { try base.items() }

    func read(_ item: SyncItem, atMost limit: Int) throws -> [UInt8]? {
        try Self.use(readsLeft)
        return try base.read(item, atMost: limit)
    }

    func write(_ bytes: [UInt8], named name: String) throws {
        try Self.use(writesLeft)
        try base.write(bytes, named: name)
    }

    func remove(_ name: String) throws { try base.remove(name) }
}
