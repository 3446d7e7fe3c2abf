import CoreDataStore

extension NSManagedObjectContext {
    func undoLast() {
        guard let undoManager else { return }
        processPendingChanges()
        undoManager.undo()
    }

    func redoLast() {
        guard let undoManager else { return }
        processPendingChanges()
        undoManager.redo()
    }

    /// Uses another undo manager; the steps that the former one recorded for this context are dropped.
    func takeUndoManager(insteadOf former: UndoManager?) {
        // A context that has not been used yet may be set up on any thread.
        if !(pending.isEmpty && unannounced.isEmpty && refreshed.isEmpty) { processPendingChanges() }
        registry.journal.forgetAll()
        if let undoObserver { NotificationCenter.default.removeObserver(undoObserver) }
        undoObserver = nil
        if concurrencyType != .mainQueueConcurrencyType { former?.ownerEndsEvents = false }
        registry.journal.undoManager = undoManager
        guard let undoManager else { return }
        if concurrencyType != .mainQueueConcurrencyType { undoManager.ownerEndsEvents = true }
        undoObserver = NotificationCenter.default.addObserver(
            forName: .NSUndoManagerCheckpoint, object: undoManager, queue: nil
        ) { [weak self] _ in self?.processPendingChanges() }
    }

    /// Discards the recorded undo steps when the context is released.
    func closeUndo() {
        if let undoObserver { NotificationCenter.default.removeObserver(undoObserver) }
        undoManager?.removeAllActions(withTarget: self)
        registry.journal.close()
    }

    /// Finishes an undo or redo that has just been performed: calls `awake(fromSnapshotEvents:)`, returns the objects.
    func finishReplay() -> ReplayedObjects {
        let replayed = registry.journal.replayed
        guard !replayed.isEmpty else { return replayed }
        registry.journal.replayed = ReplayedObjects()
        replayed.finish()
        dropUnchanged()
        replayed.awake()
        return replayed
    }
}
