/// The identity of an object on all peers: the transaction that created it, and its place among those that it created.
///
/// Whether a missing object was deleted or has not arrived yet follows from it: see `SyncState.isForgotten(_:)`.
package struct ObjectIdentity: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let creation: TransactionID
    package let ordinal: UInt32

    package init(_ creation: TransactionID, _ ordinal: UInt32) {
        self.creation = creation
        self.ordinal = ordinal
    }

    package static func < (left: ObjectIdentity, right: ObjectIdentity) -> Bool {
        if left.creation.author != right.creation.author { return left.creation.author < right.creation.author }
        if left.creation.sequence != right.creation.sequence { return left.creation.sequence < right.creation.sequence }
        return left.ordinal < right.ordinal
    }

    package var description: String { "\(creation).\(ordinal)" }

    /// Reads what `description` gives; nil if the text is anything else.
    package init?(_ text: String) {
        let parts = text.split(whereSeparator: { $0 == ":" || $0 == "." })
        guard parts.count == 3, let author = PeerID(String(parts[0])), let sequence = UInt64(parts[1]),
            let ordinal = UInt32(parts[2])
        else { return nil }
        self.init(TransactionID(author, sequence), ordinal)
    }
}
