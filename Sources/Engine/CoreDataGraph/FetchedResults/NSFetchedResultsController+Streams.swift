import CoreDataStore

/// Following a list without a delegate. Not in Apple's framework.
extension NSFetchedResultsController {
    /// The list as it is now, once it has been fetched, and as it is after each change.
    ///
    /// Called on the context's queue; the sequence may be read anywhere. A slow reader gets only the newest list. It
    /// ends with the controller, which it does not retain. Changes are followed while the sequence has a reader.
    public var snapshots: AsyncStream<FetchedResultsSnapshot> {
        engine.context.checkQueue("snapshots")
        let first = engine.list.map { _ in FetchedResultsSnapshot(engine.state, hasSections: engine.hasSections) }
        return engine.observers.snapshots.stream(startingWith: first, .bufferingNewest(1))
    }

    /// Each change of the list from now on, with the list after it.
    ///
    /// Called on the context's queue; the sequence may be read anywhere, and contains every change. It ends with the
    /// controller, which it does not retain. Changes are followed while the sequence has a reader.
    public var changes: AsyncStream<FetchedResultsChanges> {
        engine.context.checkQueue("changes")
        return engine.observers.changes.stream(startingWith: nil, .unbounded)
    }
}
