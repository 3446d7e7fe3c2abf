/// What peers send each other.
package enum SyncMessage: Hashable, Sendable {
    case transactions([SyncTransaction])
    case greeting(Greeting)
    case baseline(Baseline)
    /// Asks for chunks of large values by their digests.
    case wantedChunks([ChunkDigest])
    /// A chunk's bytes, which say by their digest which one it is.
    case chunk([UInt8])
    /// Says to a peer that it was retired and goes on under a new identity.
    case retired(PeerID, by: PeerID)
}

/// What a peer has, so that others send what it lacks and know what they may forget.
package struct Greeting: Hashable, Sendable {
    package let sender: PeerID
    /// The identity that a store had which waits for a baseline to go on under a new one.
    package let former: PeerID?
    package let applied: VersionVector
    /// The digests of the last transactions in that, as far as they are known.
    package let digests: [PeerID: UInt32]
    /// The transactions that are no longer in the sender's log: who lacks one of them gets it from another peer, or not at all.
    package let floor: VersionVector
    /// Whether an answer is wanted from those who have more.
    package let wantsAnswer: Bool

    package init(
        sender: PeerID, former: PeerID? = nil, applied: VersionVector, digests: [PeerID: UInt32] = [:],
        floor: VersionVector = VersionVector(), wantsAnswer: Bool
    ) {
        self.sender = sender
        self.former = former
        self.applied = applied
        self.digests = digests
        self.floor = floor
        self.wantsAnswer = wantsAnswer
    }
}

/// The state of a peer as a whole, for those that lack what is no longer in anyone's log.
package struct Baseline: Hashable, Sendable {
    package let sender: PeerID
    /// Which part of the baseline this is, from 0 on, and how many there are.
    package let part: Int
    package let partCount: Int
    package let applied: VersionVector
    /// For each author what its last transaction in the baseline builds on, by which later ones are read.
    package let dependencies: [PeerID: VersionVector]
    /// The last transaction of each author in the baseline.
    package let heads: [PeerID: TransactionHead]
    /// Of the identity that the receiver had, the transactions in the sender's log, by which those of a restored store that have the
    /// names of earlier ones are found.
    package let formerHeads: [TransactionHead]
    package let members: [PeerID: Member]
    package let retired: [PeerID: TransactionID]
    package let objects: [BaselineObject]
    package let links: [BaselineLink]
}

/// An object of a baseline.
package struct BaselineObject: Hashable, Sendable {
    package let id: ObjectIdentity
    package let record: ObjectRecord
}

/// A link of a baseline.
package struct BaselineLink: Hashable, Sendable {
    package let key: LinkKey
    package let tags: [LinkTag]
}
