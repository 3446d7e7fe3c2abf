import CoreDataStore

/// Receives the changes of a fetched results controller's list. Every method is optional.
///
/// Open-source Swift has no optional requirements: here each method has a default implementation, which notifies the
/// controller that the delegate does not implement the method, so that it is not called again. A method whose signature
/// differs from the one here is never called, as in Apple's framework. The methods are called on the context's queue,
/// at the end of the event with the change. During the calls the controller has the new list; only in
/// `controllerWillChangeContent(_:)` it has the former one.
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
    /// Called before the other methods for a change.
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>)

    /// Called for each section that was deleted or inserted, before the calls for objects: for deleted sections from
    /// the last one on, with their former indices, then for inserted ones with their new indices. A deleted section has
    /// its name, but no objects.
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType)

    /// Called for each object that was inserted (`newIndexPath`), deleted (`indexPath`), moved (both) or updated in its
    /// place (`indexPath`).
    ///
    /// `indexPath` is the object's index path before the entire change, `newIndexPath` the one after it. An object that
    /// moves only because others are inserted or deleted is not reported. Objects of inserted or deleted sections are
    /// reported too.
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

    /// Called after the other methods for a change.
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>)

    /// Called with the complete list, instead of all other methods; also called by `performFetch()`.
    ///
    /// Apple's method takes a snapshot type of UIKit instead.
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith snapshot: FetchedResultsSnapshot)

    /// Called by a controller without sections, instead of the methods for single changes, unless the delegate
    /// implements the method for snapshots.
    ///
    /// The difference does not contain objects that changed without moving.
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    /// The index title of a section; by default the first letter of its name.
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

    /// The first letter of the name in upper case.
    public func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? { SectionNaming.firstLetter(of: sectionName) }
}
