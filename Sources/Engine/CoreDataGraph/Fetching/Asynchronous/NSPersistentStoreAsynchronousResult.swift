import CoreDataStore
import Synchronization

/// The future result of a request that continues after `execute(_:)` has returned.
///
/// May be used from any thread.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult, @unchecked Sendable {
    /// The context that executes the request.
    open private(set) var managedObjectContext: NSManagedObjectContext

    /// The progress of the request; it may be observed and cancelled.
    open private(set) var progress: Progress?

    private let failure = Mutex<(any Error)?>(nil)

    init(_ context: NSManagedObjectContext, _ progress: Progress) {
        managedObjectContext = context
        self.progress = progress
    }

    /// The error for which the request failed; nil while the request is executed, and if it succeeded.
    ///
    /// Code 3072 (`NSUserCancelledError`) of `NSCocoaErrorDomain` for a request that was cancelled.
    open internal(set) var operationError: (any Error)? {
        get { failure.withLock { $0 } }
        set { failure.withLock { $0 = newValue } }
    }

    /// Cancels the request; the completion block is called, and `operationError` states the cancellation.
    ///
    /// Without effect on a request that has ended.
    open func cancel() { progress?.cancel() }
}
