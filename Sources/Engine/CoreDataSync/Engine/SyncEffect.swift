/// What happened to a store.
package enum SyncEvent: Sendable {
    /// A save was committed by the program; the state has to follow before rows of others are written.
    case saved([LocalChange], at: UInt64)
    /// Bytes of a peer arrived.
    case received([UInt8], at: UInt64)
    /// A frame of a peer arrived that was decoded already.
    case decoded(DecodedFrame, at: UInt64)
    /// Chunks of large values arrived: their bytes, as frames have them.
    case chunks([[UInt8]], at: UInt64)
    /// Large values that come on demand are wanted.
    case fetch([ValuePlace], at: UInt64)
    /// Time passed, in milliseconds since 1970 by the clock of the device, which may be wrong. The random number is kept as the next
    /// identity if the last one was taken.
    case tick(at: UInt64, spare: PeerID)
    /// The model may be newer than the state: objects and attributes that the older one lacked are shown. All saves were given before.
    case modelChanged
    /// Another part of what is shown is kept here, by `isInPart`. All saves were given before.
    case partChanged
    /// What all peers have is to be forgotten.
    case compact
    /// A peer is to take part no longer.
    case retire(PeerID, at: UInt64)
    /// A peer is to take part; only readers need it, since writers are admitted when they ask for a baseline.
    case admit(PeerID, PeerRole, at: UInt64)
}

/// What is to be done after an event, in this order.
package enum SyncEffect: Hashable, Sendable {
    /// The store commits rows and state in one transaction. If it fails, the engine of before the event goes on.
    case commit(SyncPlan)
    /// The identities of the objects that a save inserted, by the numbers of the caller.
    case assigned([Int: ObjectIdentity])
    /// A frame goes to one peer, or to all; it may be lost, doubled or late.
    case send([UInt8], to: PeerID?)
    /// Transactions go to one peer, or to all. Only where the configuration asks for it.
    case transactions([SyncTransaction], to: PeerID?)
    /// A baseline goes to a peer, which had the other identity before: ``SyncEngine/makeBaseline(former:_:_:)`` makes it. Only where
    /// the configuration asks for it.
    case give(to: PeerID, former: PeerID?)
    /// All parts of a baseline are here, and ``SyncEngine/takeBaseline(from:_:at:_:)`` takes them, before any other event. Only where the
    /// configuration asks for it.
    case take(from: PeerID)
    /// The next tick is due after so many milliseconds.
    case wake(after: UInt64)
    case report(SyncReport)
}

/// What a person or a log should know.
package enum SyncReport: Hashable, Sendable {
    /// Bytes were refused, and nothing of them was applied.
    case refusedBytes(FormatError)
    /// A transaction was refused for good: its author may not write or is not known.
    case refusedTransaction(TransactionID)
    /// Transactions of a peer have the names of others that it wrote before its store was put back from a backup.
    case forked(PeerID)
    /// Transactions were not applied since the program refused them; they are tried again.
    case refusedByProgram([TransactionID], String)
    /// The program's corrections did not end; the merge was committed without the last of them.
    case endlessCorrections
    /// A transaction's time is ahead of the clock by so many milliseconds.
    case clockAhead(PeerID, UInt64)
    /// Two objects are one from now on.
    case merged(ObjectIdentity, into: ObjectIdentity)
    /// An object was changed here that had been deleted elsewhere.
    case lostEdit(ObjectIdentity)
    /// A reader changed an object; the change was taken back.
    case refusedWrite(LocalObject)
    /// The store goes on as another peer.
    case newIdentity(old: PeerID, new: PeerID)
    /// The store waits for a baseline.
    case waitsForBaseline
    /// A peer takes part no longer.
    case retired(PeerID)
    /// Transactions that are not here wait for others; the greatest count that may wait was reached.
    case tooManyWaiting
    /// A frame has more bytes than receivers take, since one value alone has that many; it was not sent.
    case tooLarge(Int)
    /// A value is too large to be sent as a whole; it stays on this device, and the object's other values are sent.
    case valueTooLarge(ObjectIdentity, attribute: String, size: Int)
    case invalidState(String)
}
