import CoreDataGraph
import Foundation
import Synchronization

/// The records of a fetch, kept up to date by a controller of fetched results.
final class ResultsList: NSFetchedResultsControllerDelegate {
    private let context: RecordContext
    private var controller: NSFetchedResultsController<NSFetchRequestResult>?
    private var subscription: StoreChangeRelay.Subscription?
    /// Called where the context is used, after each change of the list or of a record in it.
    var didChange: () -> Void = {}

    init(_ context: RecordContext) { self.context = context }

    /// Replaces the list.
    func fetch(_ request: NSFetchRequest<NSFetchRequestResult>) throws {
        let made = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        try made.performFetch()
        controller?.delegate = nil
        made.delegate = self
        controller = made
    }

    var records: [ModelRecord] { (controller?.fetchedObjects ?? []).compactMap { $0 as? ModelRecord } }

    var identifiers: [PersistentIdentifier] { records.map { PersistentIdentifier($0.objectID) } }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) { didChange() }

    // MARK: Saves of others

    /// Follows the saves of other contexts and processes. The main context merges them by itself.
    func follow(_ owner: ModelContext, _ isolation: (any Actor)?) {
        guard !context.automaticallyMergesChangesFromParent else { return }
        owner.isObserved = true
        let list = WeakList(self)
        subscription = owner.container.changeRelay.subscribe { changes in
            list.waiting.withLock { $0.append(changes) }
            guard let isolation else { return }
            Task { await list.take(on: isolation) }
        }
        self.list = list
    }

    private var list: WeakList?

    /// Merges what others have saved since the last fetch.
    func takeWaiting() {
        guard let list else { return }
        let changes = list.waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for change in changes {
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: change.userInfo, into: [context])
        }
    }

    /// A list for those who may not use it, with the changes that it has to take.
    private final class WeakList: @unchecked Sendable {
        weak var list: ResultsList?
        let waiting = Mutex<[StoreChangeRelay.Changes]>([])
        init(_ list: ResultsList) { self.list = list }

        func take(on isolation: isolated any Actor) { list?.takeWaiting() }
    }
}
