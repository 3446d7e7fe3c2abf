import CoreDataStore

/// Receives the changes of a fetched results controller's list. Every method is optional.
///
/// Open-source Swift has no optional requirements: here each has a default implementation, which notifies the controller that
/// the delegate does not implement it, so that the message is not sent again. A method whose signature differs from the one here is never
/// called, as in Apple's framework. Messages come on the context's queue, at the end of the event in which something
/// changed; while they come, and in `controllerDidChangeContent(_:)`, the controller shows the new list. Only
/// `controllerWillChangeContent(_:)` sees the former one.
///
/// ```swift
/// final class ListDelegate: NSFetchedResultsControllerDelegate {
///     func controller(
///         _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
///         at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
///     ) {
///         if type == .insert, let newIndexPath { print("new row at \(newIndexPath)") }
///     }
/// }
/// ```
public protocol NSFetchedResultsControllerDelegate: AnyObject {
    /// Called before the other messages of a change.
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>)

    /// Called for each section that came or went, before what is reported of objects: those that went from the last one
    /// on by their former indexes, then those that came by their new ones. The former have their names and no objects
    /// any more.
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType)

    /// Called for each object that was inserted (`newIndexPath`), deleted (`indexPath`), moved (both) or updated in its place
    /// (`indexPath`).
    ///
    /// `indexPath` is where the object was before the entire change, `newIndexPath` where it is after it. An object that
    /// moves only because others are inserted or deleted is not reported. Objects of inserted or deleted sections are reported too.
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

    /// Called after the other messages of a change.
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>)

    /// Called instead of all other methods with the complete list, also by `performFetch()`.
    ///
    /// Apple's method takes a snapshot type of UIKit instead.
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith snapshot: FetchedResultsSnapshot)

    /// Called instead of the messages of single changes by a controller without sections, unless the method with a
    /// snapshot is there.
    ///
    /// Objects that changed in their places are not in it.
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    /// The title in the index of the list for a section; its first letter unless there is a method.
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?
}

/// The default implementations of the delegate methods.
extension NSFetchedResultsControllerDelegate {
    /// Notifies the controller that the delegate does not implement this method.
    public func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        controller.engine.observers.noteMissing(.willChange, of: self)
    }

    /// Notifies the controller that the delegate does not implement this method.
    public func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        controller.engine.observers.noteMissing(.section, of: self)
    }

    /// Notifies the controller that the delegate does not implement this method.
    public func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        controller.engine.observers.noteMissing(.object, of: self)
    }

    /// Notifies the controller that the delegate does not implement this method.
    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        controller.engine.observers.noteMissing(.didChange, of: self)
    }

    /// Notifies the controller that the delegate does not implement this method.
    public func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith snapshot: FetchedResultsSnapshot
    ) {
        controller.engine.observers.noteMissing(.snapshot, of: self)
    }

    /// Notifies the controller that the delegate does not implement this method.
    public func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        controller.engine.observers.noteMissing(.difference, of: self)
    }

    /// The first letter of the name, as a capital.
    public func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? { SectionNaming.firstLetter(of: sectionName) }
}
