import CoreData

/// The list of the template: the moments at which somebody asked for one, newest first.
public final class EventList: NSFetchedResultsControllerDelegate {
    private let context: NSManagedObjectContext
    private var fetchedResultsController: NSFetchedResultsController<Event>
    /// What the list was told, in order: `will`, `insert 0.0`, `did`.
    public private(set) var messages: [String] = []

    /// Whether the oldest moment comes first.
    public private(set) var isAscending = false

    /// Fetches the list.
    ///
    /// - Throws: what `performFetch()` throws.
    public init(context: NSManagedObjectContext) throws {
        self.context = context
        fetchedResultsController = Self.controller(context, ascending: false)
        try adopt(fetchedResultsController)
    }

    private static func controller(
        _ context: NSManagedObjectContext, ascending: Bool
    ) -> NSFetchedResultsController<Event> {
        let fetchRequest: NSFetchRequest<Event> = Event.fetchRequest()
        fetchRequest.fetchBatchSize = 20
        fetchRequest.sortDescriptors = [NSSortDescriptor(keyPath: \Event.timeStamp, ascending: ascending)]
        return NSFetchedResultsController(
            fetchRequest: fetchRequest, managedObjectContext: context, sectionNameKeyPath: nil,
            cacheName: ascending ? "Root" : "Master")
    }

    private func adopt(_ controller: NSFetchedResultsController<Event>) throws {
        fetchedResultsController.delegate = nil
        controller.delegate = self
        fetchedResultsController = controller
        try controller.performFetch()
    }

    /// Turns the order round, with a controller of its own.
    ///
    /// - Throws: what `performFetch()` throws.
    public func flip() throws {
        isAscending.toggle()
        try adopt(Self.controller(context, ascending: isAscending))
    }

    /// The rows as texts.
    public var rows: [String] { (0..<count).compactMap { row(at: IndexPath(row: $0, section: 0)) } }

    public var count: Int { fetchedResultsController.sections?[0].numberOfObjects ?? 0 }

    /// What a row shows, and its detail.
    public func row(at indexPath: IndexPath) -> String? {
        fetchedResultsController.object(at: indexPath).timeStamp?.formatted(.iso8601)
    }

    /// Adds a moment and saves.
    ///
    /// - Throws: what `save()` throws; the moment is taken back then.
    public func insertNewObject(_ moment: Date = Date()) throws {
        let newEvent = Event(context: context)
        newEvent.timeStamp = moment
        try save()
    }

    /// Deletes a row and saves.
    ///
    /// - Throws: what `save()` throws; the row stays then.
    public func delete(at indexPath: IndexPath) throws {
        context.delete(fetchedResultsController.object(at: indexPath))
        try save()
    }

    private func save() throws {
        do {
            try context.save()
        } catch {
            let nserror = error as NSError
            print("Unresolved error \(nserror), \(nserror.userInfo)")
            context.rollback()
            throw error
        }
    }

    // MARK: NSFetchedResultsControllerDelegate

    public func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        messages.append("will")
    }

    public func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        func text(_ path: IndexPath?) -> String { path.map { "\($0.section).\($0.row)" } ?? "-" }
        switch type {
        case .insert: messages.append("insert \(text(newIndexPath))")
        case .delete: messages.append("delete \(text(indexPath))")
        case .update: messages.append("update \(text(indexPath))")
        case .move: messages.append("move \(text(indexPath)) \(text(newIndexPath))")
        @unknown default: messages.append("?")
        }
    }

    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        messages.append("did")
    }
}
