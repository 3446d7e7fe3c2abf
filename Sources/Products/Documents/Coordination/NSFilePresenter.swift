import CoreDataFoundation

/// What shows a file or a folder, and wants to know what others do with it by ``NSFileCoordinator``.
///
/// Methods are called on `presentedItemOperationQueue`. All but the two properties may be left out. Who gets a
/// completion handler must call it once.
public protocol NSFilePresenter: AnyObject, Sendable {
    /// The item; nil if there is none yet.
    var presentedItemURL: URL? { get }
    /// Where the methods are called.
    var presentedItemOperationQueue: OperationQueue { get }

    /// Another one wants to read: stop writing, call `reader`, and continue when its block is called.
    func relinquishPresentedItem(toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void)
    /// Another one wants to write: stop using the item, call `writer`, and continue when its block is called.
    func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void)
    /// Unsaved changes are to be saved before another one reads or moves the item. An error ends the other's access.
    func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// The item is about to be deleted. An error ends the deletion.
    func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// An item in the presented folder is about to be deleted. An error ends the deletion.
    func accommodatePresentedSubitemDeletion(at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// The item has another place.
    func presentedItemDidMove(to newURL: URL)
    /// The item was written by another one.
    func presentedItemDidChange()
    /// An item in the presented folder was written by another one.
    func presentedSubitemDidChange(at url: URL)
    /// A version in conflict was resolved.
    func presentedItemDidResolveConflict(_ version: NSFileVersion)
}

extension NSFilePresenter {
    /// Lets the other one read at once.
    public func relinquishPresentedItem(toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) {
        reader(nil)
    }
    /// Lets the other one write at once.
    public func relinquishPresentedItem(toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) {
        writer(nil)
    }
    /// Has nothing to save.
    public func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        completionHandler(nil)
    }
    /// Agrees.
    public func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        completionHandler(nil)
    }
    /// Agrees.
    public func accommodatePresentedSubitemDeletion(
        at url: URL, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        completionHandler(nil)
    }
    /// Does nothing.
    public func presentedItemDidMove(to newURL: URL) {}
    /// Does nothing.
    public func presentedItemDidChange() {}
    /// Does nothing.
    public func presentedSubitemDidChange(at url: URL) {}
    /// Does nothing.
    public func presentedItemDidResolveConflict(_ version: NSFileVersion) {}
}
