/// The identity of a transaction: its author and its place among the author's transactions, from 1 on.
package struct TransactionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The last sequence that the format and the keys of a state hold.
    package static let greatestSequence: UInt64 = (1 << 48) - 1

    package let author: PeerID
    package let sequence: UInt64

    package init(_ author: PeerID, _ sequence: UInt64) {
        self.author = author
        self.sequence = sequence
    }

    package static func < (left: TransactionID, right: TransactionID) -> Bool {
        left.author == right.author ? left.sequence < right.sequence : left.author < right.author
    }

    package var description: String { "\(author):\(sequence)" }
}
