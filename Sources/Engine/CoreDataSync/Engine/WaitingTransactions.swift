/// Transactions that wait for what they build on, or for the program's consent, by author and sequence.
package struct WaitingTransactions: Sendable {
    private var byAuthor: [PeerID: [UInt64: SyncTransaction]] = [:]
    package private(set) var count = 0
    private var size = 0
    /// The chunks that they, and a baseline, wait for.
    var lacking = LackingChunks()

    package init() {}

    package var isEmpty: Bool { count == 0 }

    var authors: [PeerID] { byAuthor.keys.sorted() }

    package var all: [SyncTransaction] { byAuthor.values.flatMap(\.values) }

    func all(of author: PeerID) -> [SyncTransaction] { byAuthor[author].map { Array($0.values) } ?? [] }

    package subscript(id: TransactionID) -> SyncTransaction? {
        get { byAuthor[id.author]?[id.sequence] }
        set {
            let old = byAuthor[id.author]?.removeValue(forKey: id.sequence)
            count -= old == nil ? 0 : 1
            size -= old?.size ?? 0
            lacking.remove(id)
            if let newValue {
                byAuthor[id.author, default: [:]][id.sequence] = newValue
                count += 1
                size += newValue.size
            } else if byAuthor[id.author]?.isEmpty == true {
                byAuthor[id.author] = nil
            }
        }
    }

    /// Drops what has been applied.
    mutating func drop(_ applied: VersionVector, of authors: some Sequence<PeerID>) {
        for author in authors {
            for sequence in byAuthor[author]?.keys.filter({ $0 <= applied[author] }) ?? [] {
                self[TransactionID(author, sequence)] = nil
            }
        }
    }

    /// Drops the transactions that are the farthest from what was applied until the bounds of count and bytes hold; the next one of an
    /// author goes last, so that what can be applied when another arrives is there.
    ///
    /// - Returns: Whether there were too many.
    mutating func dropFarthest(_ applied: VersionVector, atMost greatestCount: Int, _ greatestSize: Int) -> Bool {
        guard count > greatestCount || size > greatestSize else { return false }
        let sorted = all.map { (id: $0.id, distance: $0.id.sequence - min(applied[$0.id.author], $0.id.sequence)) }
            .sorted { ($0.distance, $0.id) > ($1.distance, $1.id) }
        for item in sorted {
            // Some room is made at once, so that this is not done for each transaction.
            guard count > greatestCount / 10 * 9 || size > greatestSize / 10 * 9 else { break }
            self[item.id] = nil
        }
        return true
    }
}
