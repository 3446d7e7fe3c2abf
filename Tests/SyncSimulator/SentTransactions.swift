import CoreDataSync

/// The transactions that were ever sent, with those of restored stores that have the names of earlier ones.
package struct SentTransactions {
    private var all: [TransactionID: [SyncTransaction]] = [:]

    /// Adds a transaction.
    ///
    /// - Returns: Whether there is no other one of its name.
    mutating func insert(_ transaction: SyncTransaction) -> Bool {
        let known = all[transaction.id] ?? []
        if !known.contains(where: { $0.digest == transaction.digest }) {
            all[transaction.id] = known + [transaction]
        }
        return known.allSatisfy { $0.digest == transaction.digest }
    }

    /// The transactions that a peer applied: of several with one name those that its last one follows.
    func applied(_ meta: SyncMeta) -> [TransactionID: SyncTransaction] {
        var found = all.filter { meta.applied.covers($0.key) }.compactMapValues(\.first)
        for (author, head) in meta.heads {
            var (sequence, digest) = (head.sequence, head.digest)
            while sequence > 0 {
                let id = TransactionID(author, sequence)
                guard let transaction = all[id]?.first(where: { $0.digest == digest }) else { break }
                found[id] = transaction
                (sequence, digest) = (sequence - 1, transaction.previous)
            }
        }
        return found
    }
}

/// A store at an earlier time, with what was noted outside of it.
struct SimulatedBackup {
    let store: SimulatedStore
    let version: Int
    let highWater: [PeerID: UInt64]
    let witnesses: Set<String>

    init(_ peer: SimulatedPeer, witnesses: Set<String>) {
        store = peer.store
        version = peer.version
        highWater = peer.highWater
        self.witnesses = witnesses
    }
}
