import CoreData

/// What a fetched results controller says of its changes, as texts: `will`, `insert 0.0`, `section delete 1`, `did`.
final class ListLog: NSObject, NSFetchedResultsControllerDelegate {
    private(set) var messages: [String] = []

    /// The messages since the last call.
    func take() -> [String] {
        defer { messages = [] }
        return messages
    }

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        messages.append("will")
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange sectionInfo: NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) {
        messages.append("section \(type == .insert ? "insert" : "delete") \(sectionIndex)")
    }

    func controller(
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

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        messages.append("did")
    }
}
