import CoreDataStore

/// Who follows a list: a delegate, of which is known what it is not interested in, and streams.
///
/// What a delegate has no method for is found out by the first message of the kind: its default implementation says so.
final class ResultsObservers {
    /// The kinds of messages to a delegate.
    struct Messages: OptionSet {
        let rawValue: Int

        static let willChange = Messages(rawValue: 1)
        static let section = Messages(rawValue: 2)
        static let object = Messages(rawValue: 4)
        static let didChange = Messages(rawValue: 8)
        static let snapshot = Messages(rawValue: 16)
        static let difference = Messages(rawValue: 32)
    }

    weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        didSet { if delegate !== oldValue { missing = [] } }
    }
    /// What the delegate has no methods for, as far as is known.
    private(set) var missing: Messages = []

    let snapshots = ResultsStreams<FetchedResultsSnapshot>()
    let changes = ResultsStreams<FetchedResultsChanges>()

    deinit {
        snapshots.finish()
        changes.finish()
    }

    /// Whether anybody follows the list.
    var isThere: Bool { delegate != nil || hasStreams }

    var hasStreams: Bool { !snapshots.isEmpty || !changes.isEmpty }

    /// The delegate, unless it is known to have no method for a kind of message.
    func delegate(for message: Messages) -> (any NSFetchedResultsControllerDelegate)? {
        missing.contains(message) ? nil : delegate
    }

    /// Notes that an object has no method for a kind of message; what a delegate passes on to others says nothing of itself.
    func noteMissing(_ message: Messages, of object: AnyObject) {
        if object === delegate { missing.insert(message) }
    }
}
