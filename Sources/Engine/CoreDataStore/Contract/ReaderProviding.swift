import CoreDataModeling

/// Reads a store on several threads at once, beside the connection that writes; see `ObjectStore.readers`.
///
/// May be used from any thread, also during a save. A reader sees what was committed when its read begins. If
/// `keepsStates` is true, a reader never waits for a writer; otherwise it may wait while a save changes what it reads.
package protocol ReaderProviding: AnyObject, Sendable {
    /// How many readers may be in use at once.
    var readerCount: Int { get }
    /// Whether a reader can keep reading one state of the store while others save.
    var keepsStates: Bool { get }
    /// How long a thread waits for a reader before it throws an error that names the users of the readers.
    var patience: Duration { get }
    /// Hands a reader to the calling thread; if all are in use, waits at most `waiting` for one.
    func checkOut(for use: ReaderUse, waiting: Duration) -> ReaderCheckout
    /// The uses and owners of the readers that are in use, as part of a sentence.
    var holders: String { get }
}

/// The purpose for which a reader is checked out.
package struct ReaderUse: Sendable {
    package enum Kind: String, Sendable {
        case question = "a question"
        case fetch = "a fetch with prefetching"
        case stream = "a streamed result"
        case generation = "a query generation"
    }

    package let kind: Kind
    /// The user of the reader, such as the name of a context.
    package let owner: String?

    package init(_ kind: Kind, of owner: String? = nil) {
        self.kind = kind
        self.owner = owner
    }

    /// Whether the program decides how long it keeps the reader.
    package var isLong: Bool { kind == .stream || kind == .generation }
}

/// The result of checking out a reader.
package enum ReaderCheckout {
    case reader(any PooledReader)
    /// All readers are in use. If only long uses have them, they may be returned at any time or never.
    case exhausted(onlyByLongUses: Bool)
    /// Readers cannot be made: the caller uses the store itself.
    case unavailable
    /// The store was closed.
    case closed
}

/// A reader that one thread uses at a time, until `release()` returns it to the pool.
package protocol PooledReader: KeptGeneration {
    /// Makes all later reads see one state of the store: the state at this call if `atOnce` is true, otherwise the
    /// state at the first query.
    func holdState(atOnce: Bool) throws
    /// Makes all later reads see a past state of the store.
    ///
    /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` if the history lacks the old values,
    ///   `NSPersistentHistoryTokenExpiredError` if it lacks the transactions.
    func holdState(of past: PastState) throws
}
