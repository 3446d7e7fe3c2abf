/// For each author the last of its transactions that is known, with all before it.
package struct VersionVector: Hashable, Sendable {
    package private(set) var sequences: [PeerID: UInt64]

    package init(_ sequences: [PeerID: UInt64] = [:]) { self.sequences = sequences.filter { $0.value > 0 } }

    package subscript(author: PeerID) -> UInt64 { sequences[author] ?? 0 }

    package func covers(_ transaction: TransactionID) -> Bool { self[transaction.author] >= transaction.sequence }

    package func covers(_ other: VersionVector) -> Bool {
        for (author, sequence) in other.sequences where self[author] < sequence { return false }
        return true
    }

    package mutating func include(_ transaction: TransactionID) {
        if self[transaction.author] < transaction.sequence { sequences[transaction.author] = transaction.sequence }
    }

    package mutating func remove(_ author: PeerID) { sequences[author] = nil }

    package mutating func formUnion(_ other: VersionVector) {
        for (author, sequence) in other.sequences { include(TransactionID(author, sequence)) }
    }

    /// Keeps of each author what the other covers as well.
    package mutating func formIntersection(_ other: VersionVector) {
        for (author, sequence) in sequences {
            let common = min(sequence, other[author])
            sequences[author] = common > 0 ? common : nil
        }
    }

    package var isEmpty: Bool { sequences.isEmpty }

    /// The authors with their last transactions, by author.
    package var sorted: [TransactionID] { sequences.map { TransactionID($0.key, $0.value) }.sorted() }
}
