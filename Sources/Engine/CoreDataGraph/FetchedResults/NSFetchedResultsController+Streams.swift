import CoreDataStore

/// Observing a list without a delegate. Not in Apple's framework.
extension NSFetchedResultsController {
    /// The current list, if it has been fetched, and then the list after each change.
    ///
    /// Call it on the context's queue; the sequence may be iterated anywhere. A slow reader gets only the newest list.
    /// The sequence ends when the controller is released, which it does not retain. The controller follows changes
    /// while the sequence has a reader.
    public var snapshots: AsyncStream<FetchedResultsSnapshot> {
        engine.context.checkQueue("snapshots")
        let first = engine.list.map { _ in FetchedResultsSnapshot(engine.state, hasSections: engine.hasSections) }
        return engine.observers.snapshots.stream(startingWith: first, .bufferingNewest(1))
    }

    /// Each later change of the list, with the list after it.
    ///
    /// Call it on the context's queue; the sequence may be iterated anywhere and omits no change. It ends when the
    /// controller is released, which it does not retain. The controller follows changes while the sequence has a
    /// reader.
    public var changes: AsyncStream<FetchedResultsChanges> {
        engine.context.checkQueue("changes")
        return engine.observers.changes.stream(startingWith: nil, .unbounded)
    }
}
