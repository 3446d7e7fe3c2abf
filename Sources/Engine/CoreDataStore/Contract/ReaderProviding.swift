import CoreDataModeling

/// Reading a store on several threads at once, beside the one that writes; see `ObjectStore.readers`.
///
/// May be used from any thread, also while the store is written to. A reader sees what was committed when it begins to
/// read. One that can keep a state never waits for who writes; one that cannot may wait while a save changes what it reads.
package protocol ReaderProviding: AnyObject, Sendable {
    /// How many readers there may be at once.
    var readerCount: Int { get }
    /// Whether a reader can continue to see one state of the store whatever is saved meanwhile.
    var keepsStates: Bool { get }
    /// How long a thread waits for a reader before the error is thrown that says who has them.
    var patience: Duration { get }
    /// Gives a reader to one thread; waits for one that long when all are in use.
    func checkOut(for use: ReaderUse, waiting: Duration) -> ReaderCheckout
    /// The users of the readers, as part of a sentence.
    var holders: String { get }
}

/// What a reader is checked out for.
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

    /// Whether the program decides how long it takes.
    package var isLong: Bool { kind == .stream || kind == .generation }
}

/// What came of asking for a reader.
package enum ReaderCheckout {
    case reader(any PooledReader)
    /// All are in use; those of long uses may be returned at any time or never.
    case exhausted(onlyByLongUses: Bool)
    /// Readers cannot be made: the store itself is to be used.
    case unavailable
    /// The store was closed.
    case closed
}

/// A reader that one thread has at a time until it is released (`release`).
package protocol PooledReader: KeptGeneration {
    /// From here on all answers are of one state of the store: of the present one if `atOnce` is true, else of the one at
    /// the first query.
    func holdState(atOnce: Bool) throws
    /// From here on all answers are of a past state.
    ///
    /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` where old values are missing, `NSPersistentHistoryTokenExpiredError`
    ///   where transactions are.
    func holdState(of past: PastState) throws
}
