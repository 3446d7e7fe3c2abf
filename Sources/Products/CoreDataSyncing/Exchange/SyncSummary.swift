import CoreDataGraph
import CoreDataStore
import CoreDataSync

/// What an exchange did.
public struct SyncSummary: Sendable, Hashable, Codable {
    /// An item that was refused, and left where it is.
    public struct Refusal: Sendable, Hashable, Codable {
        /// The item's name.
        public let item: String
        /// Why it was refused.
        public let reason: String
    }

    /// The counts of objects that changes of peers inserted, updated and deleted in the store.
    public internal(set) var inserted = 0
    /// See `inserted`.
    public internal(set) var updated = 0
    /// See `inserted`.
    public internal(set) var deleted = 0
    /// The bytes that were read from the transport.
    public internal(set) var readBytes = 0
    /// The bytes that were written to the transport.
    public internal(set) var writtenBytes = 0
    /// The items that were refused, or could not be read, for the first time.
    public internal(set) var refused: [Refusal] = []
    /// Why the program refused changes of peers; nil if it refused none.
    public internal(set) var refusalByProgram: String?
    /// What a person should know, as sentences.
    public internal(set) var reports: [String] = []

    /// Adds what a later exchange did.
    package mutating func add(_ later: SyncSummary) {
        inserted += later.inserted
        updated += later.updated
        deleted += later.deleted
        readBytes += later.readBytes
        writtenBytes += later.writtenBytes
        refused += later.refused
        refusalByProgram = later.refusalByProgram
        reports += later.reports.filter { !reports.contains($0) }
    }

    mutating func add(_ transaction: StoreTransaction) {
        inserted += transaction.commit.changes.inserted.count
        updated += transaction.commit.changes.updated.count
        deleted += transaction.commit.changes.deleted.count
        reports += transaction.reports.map(\.sentence)
        for case .refusedByProgram(_, let reason) in transaction.reports { refusalByProgram = reason }
    }
}

extension SyncReport {
    /// The report as a sentence.
    var sentence: String {
        switch self {
        case .refusedBytes(let error): "Bytes were refused: \(error)."
        case .refusedTransaction(let id): "Transaction \(id) was refused: its author may not write or is not known."
        case .forked(let peer):
            "Peer \(peer) wrote transactions with the names of earlier ones: its store was put back from a backup."
        case .refusedByProgram(let ids, let reason): "The program refused \(ids.count) transactions: \(reason)."
        case .endlessCorrections: "The program's corrections did not end."
        case .clockAhead(let peer, let time): "The clock of peer \(peer) is ahead by \(time / 1_000) seconds."
        case .merged(let object, let survivor): "Object \(object) became one with \(survivor)."
        case .lostEdit(let object): "An edit of object \(object), which was deleted elsewhere, is lost."
        case .refusedWrite: "A reader changed an object; the change was taken back."
        case .newIdentity(let old, let new): "The store was copied or restored: it goes on as peer \(new), not \(old)."
        case .waitsForBaseline: "The store waits for a peer that gives it the whole state."
        case .retired(let peer): "Peer \(peer) takes part no longer."
        case .tooManyWaiting: "Too many transactions wait for others that are not here."
        case .tooLarge(let count): "Changes of \(count) bytes cannot be sent: one value is too large."
        case .valueTooLarge(_, let attribute, let size):
            "A value of '\(attribute)' has \(size) bytes, which is too large to be sent: it stays on this device."
        case .invalidState(let text): "The state of sync is not valid: \(text)."
        }
    }
}
