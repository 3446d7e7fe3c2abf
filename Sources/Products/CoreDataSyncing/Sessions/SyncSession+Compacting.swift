import CoreDataSync

/// What a compaction of a store and its items on the transport did.
public struct SyncCompaction: Sendable, Hashable, Codable {
    /// The items on the transport before and after.
    public let itemsBefore: Int
    /// See `itemsBefore`.
    public let itemsAfter: Int
    /// The bytes of all items on the transport before and after.
    public let bytesBefore: Int
    /// See `bytesBefore`.
    public let bytesAfter: Int
    /// The transactions in the store's log before and after.
    public let transactionsBefore: Int
    /// See `transactionsBefore`.
    public let transactionsAfter: Int
    /// The deleted objects that the store still keeps, before and after, since not all peers know of their deletion.
    public let deletedObjectsBefore: Int
    /// See `deletedObjectsBefore`.
    public let deletedObjectsAfter: Int
}

extension SyncSession {
    /// Exchanges, forgets what all peers have, and makes few items of this store's many on the transport.
    ///
    /// What a peer lacks stays until it was heard, or is forgotten (``forget(_:)``): each peer removes its own items. It takes two exchanges
    /// of the others until they know what is here.
    ///
    /// - Throws: What ``exchange(comparing:)`` throws.
    public func compact() async throws -> SyncCompaction {
        try await perform { session in
            let before = try session.sizes()
            try session.exchangeNow(.thorough)
            // What others write during the first exchange is acknowledged by the second.
            try session.exchangeNow(.thorough)
            let after = try session.sizes()
            return SyncCompaction(
                itemsBefore: before.items, itemsAfter: after.items, bytesBefore: before.bytes, bytesAfter: after.bytes,
                transactionsBefore: before.logged, transactionsAfter: after.logged,
                deletedObjectsBefore: before.deleted, deletedObjectsAfter: after.deleted)
        }
    }

    private struct Sizes {
        var items = 0
        var bytes = 0
        var logged = 0
        var deleted = 0
    }

    private func sizes() throws -> Sizes {
        var sizes = Sizes()
        for item in try place.items() {
            sizes.items += 1
            sizes.bytes += item.size
        }
        let counts = try store.transaction { transaction in
            try transaction.engine?.counts(transaction.storage)
        }
        (sizes.logged, sizes.deleted) = (counts?.logged ?? 0, counts?.deleted ?? 0)
        return sizes
    }
}
