import CoreDataStore

/// The observers of a list: streams, and a delegate with the messages that it is known not to implement.
///
/// The first message of a kind shows whether the delegate implements it: the default implementation calls `noteMissing`.
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
    /// The messages that the delegate is known not to implement.
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

    /// The delegate, unless it is known not to implement a kind of message.
    func delegate(for message: Messages) -> (any NSFetchedResultsControllerDelegate)? {
        missing.contains(message) ? nil : delegate
    }

    /// Notes that an object does not implement a message; ignores other objects to which a delegate forwards messages.
    func noteMissing(_ message: Messages, of object: AnyObject) {
        if object === delegate { missing.insert(message) }
    }
}
