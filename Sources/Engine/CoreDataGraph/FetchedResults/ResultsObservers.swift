import CoreDataStore

/// The observers of a list: the streams, and the delegate with the methods that it is known not to implement.
///
/// The first call of each method shows whether the delegate implements it: the default implementation calls
/// `noteMissing`.
final class ResultsObservers {
    /// The methods of a delegate.
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
    /// The methods that the delegate is known not to implement.
    private(set) var missing: Messages = []

    let snapshots = ResultsStreams<FetchedResultsSnapshot>()
    let changes = ResultsStreams<FetchedResultsChanges>()

    deinit {
        snapshots.finish()
        changes.finish()
    }

    /// Whether the list has any observer.
    var isThere: Bool { delegate != nil || hasStreams }

    var hasStreams: Bool { !snapshots.isEmpty || !changes.isEmpty }

    /// The delegate, unless it is known not to implement a method.
    func delegate(for message: Messages) -> (any NSFetchedResultsControllerDelegate)? {
        missing.contains(message) ? nil : delegate
    }

    /// Records that the delegate does not implement a method. Ignores any other object: the delegate may have forwarded
    /// the call to it.
    func noteMissing(_ message: Messages, of object: AnyObject) {
        if object === delegate { missing.insert(message) }
    }
}
