/// Finds the transactions that can be applied one after the other, each after what it builds on.
///
/// An author is looked at again only when it, or one for whose transaction it waits, got further: the time grows with the transactions
/// that are found and the authors of the others, not with all that wait.
struct ReadySearch {
    private(set) var members: Set<PeerID>
    private(set) var retired: Set<PeerID>
    private(set) var refusals: [(id: TransactionID, report: SyncReport)] = []
    private var applied: VersionVector
    private var heads: [PeerID: TransactionHead]
    /// The transactions of retired peers that members have.
    private var needed: VersionVector
    private var open: [PeerID] = []
    /// The authors that wait for each author.
    private var blocked: [PeerID: Set<PeerID>] = [:]

    init(_ meta: SyncMeta, needed: VersionVector) {
        members = Set(meta.members.keys)
        retired = Set(meta.retired.keys)
        applied = meta.applied
        heads = meta.heads
        self.needed = needed
    }

    mutating func transactions(
        in waiting: WaitingTransactions, where isAllowed: (SyncTransaction, ReadySearch) -> Bool
    ) -> [SyncTransaction] {
        var ready: [SyncTransaction] = []
        open = waiting.authors.reversed()
        repeat { search(waiting, isAllowed, &ready) } while needsMore(in: waiting)
        return ready
    }

    private mutating func search(
        _ waiting: WaitingTransactions, _ isAllowed: (SyncTransaction, ReadySearch) -> Bool,
        _ ready: inout [SyncTransaction]
    ) {
        while let author = open.popLast() {
            let id = TransactionID(author, applied[author] + 1)
            guard let transaction = waiting[id], !waiting.lacking.lacks(id), isReady(transaction) else { continue }
            if let head = heads[author], head.contradicts(transaction) {
                refusals.append((id, .forked(author)))
                continue
            }
            guard isAllowed(transaction, self) else {
                refusals.append((id, .refusedTransaction(id)))
                continue
            }
            accept(transaction)
            ready.append(transaction)
        }
    }

    /// Finds what else of retired peers members have: what a transaction builds on that waits for nothing else.
    ///
    /// Before that, what a member wrote once more is taken from it: it then counts as applied.
    ///
    /// - Returns: Whether there is more to look at.
    private mutating func needsMore(in waiting: WaitingTransactions) -> Bool {
        let authors = waiting.authors
        guard authors.contains(where: { retired.contains($0) }) else { return false }
        let known = needed
        for author in authors where !retired.contains(author) || needed[author] > applied[author] {
            guard let transaction = waiting[TransactionID(author, applied[author] + 1)] else { continue }
            let missing = transaction.dependencies.filter { !applied.covers($0) }
            guard missing.allSatisfy({ retired.contains($0.author) }) else { continue }
            for dependency in missing { needed.include(dependency) }
        }
        open = authors.filter { retired.contains($0) && needed[$0] > known[$0] }
        return !open.isEmpty
    }

    private mutating func isReady(_ transaction: SyncTransaction) -> Bool {
        let author = transaction.id.author
        if let missing = transaction.dependencies.first(where: { !applied.covers($0) }) {
            blocked[missing.author, default: []].insert(author)
            return false
        }
        return !retired.contains(author) || needed.covers(transaction.id)
    }

    private mutating func accept(_ transaction: SyncTransaction) {
        var advanced = [transaction.id.author, transaction.origin.author]
        for case .admit(let peer, _) in transaction.operations {
            members.insert(peer)
            advanced.append(peer)
        }
        for case .retire(let peer) in transaction.operations { retired.insert(peer) }
        applied.include(transaction.id)
        applied.include(transaction.origin)
        heads[transaction.id.author] = TransactionHead(transaction)
        open += blocked.removeValue(forKey: transaction.origin.author)?.sorted() ?? []
        open += blocked.removeValue(forKey: transaction.id.author)?.sorted() ?? []
        open += advanced
    }
}
