import CoreDataFoundation
import LockKit

extension UIDocument {
    /// Whether there are changes that were not saved.
    public var hasUnsavedChanges: Bool { condition.withLock { $0.changes != 0 } }

    /// Counts a change; it is saved by itself within ``autosavePeriod``.
    public func updateChangeCount(_ change: ChangeKind) {
        condition.withLock { condition in
            switch change {
            case .done, .redone: condition.changes += 1
            case .undone: condition.changes -= 1
            case .cleared: condition.changes = 0
            }
            scheduleAutosave(&condition)
        }
    }

    /// Counts its changes as those of the document; nil for none.
    public var undoManager: UndoManager? {
        get { condition.withLock { $0.undoManager } }
        set {
            let old = condition.withLock { condition in
                defer { (condition.observers, condition.undoManager) = ([], newValue) }
                return condition.observers
            }
            for observer in old { NotificationCenter.default.removeObserver(observer) }
            guard let newValue else { return }
            let kinds: [(Notification.Name, ChangeKind)] = [
                (.NSUndoManagerDidCloseUndoGroup, .done), (.NSUndoManagerDidUndoChange, .undone),
                (.NSUndoManagerDidRedoChange, .redone),
            ]
            let observers = kinds.map { name, kind in
                NotificationCenter.default.addObserver(forName: name, object: newValue, queue: nil) {
                    [weak self] notification in
                    // Undoing and redoing close groups too.
                    guard let manager = notification.object as? UndoManager,
                        kind != .done || !manager.isUndoing && !manager.isRedoing
                    else { return }
                    self?.updateChangeCount(kind)
                }
            }
            condition.withLock { $0.observers = observers }
        }
    }

    private func scheduleAutosave(_ condition: inout Condition) {
        guard condition.changes != 0 else {
            condition.autosave?.cancel()
            condition.autosave = nil
            return
        }
        guard condition.autosave == nil, !condition.state.contains(.closed) else { return }
        let work = DispatchWorkItem { [weak self] in
            self?.condition.withLock { $0.autosave = nil }
            self?.autosave()
        }
        condition.autosave = work
        condition.callbacks.asyncAfter(deadline: .now() + condition.period, execute: work)
    }

    /// Saves the document if something was changed.
    ///
    /// - Parameter completionHandler: Whether all is saved; `lastError` says why not.
    public func autosave(completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        guard hasUnsavedChanges, !documentState.contains(.closed) else { return complete(completionHandler, true) }
        save(to: fileURL, for: .forOverwriting, completionHandler: completionHandler)
    }

    /// Saves the document.
    ///
    /// `contents(forType:)` is called at once, on this thread; what it returns is written in the background.
    ///
    /// - Parameter completionHandler: Whether it is saved; `lastError` says why not.
    public func save(
        to url: URL, for saveOperation: SaveOperation, completionHandler: (@Sendable (Bool) -> Void)? = nil
    ) {
        let counted = condition.withLock { $0.changes }
        do {
            let contents = Contents(try contents(forType: savingFileType ?? ""))
            fileQueue.async { [self] in
                do {
                    try write(contents, to: url, saveOperation)
                    saved(url, saveOperation, counted)
                    complete(completionHandler, true)
                } catch {
                    failed(error, completionHandler)
                }
            }
        } catch {
            failed(error, completionHandler)
        }
    }

    /// Saves the document.
    ///
    /// - Returns: Whether it is saved; `lastError` says why not.
    public func save(to url: URL, for saveOperation: SaveOperation) async -> Bool {
        await withCheckedContinuation { waiting in
            save(to: url, for: saveOperation) { waiting.resume(returning: $0) }
        }
    }

    private func failed(_ error: any Error, _ completionHandler: (@Sendable (Bool) -> Void)?) {
        handleError(error, userInteractionPermitted: true)
        change { $0.insert(.savingError) }
        condition.withLock { scheduleAutosave(&$0) }
        complete(completionHandler, false)
    }

    // MARK: On the queue of files

    private func write(_ contents: Contents, to url: URL, _ operation: SaveOperation) throws {
        var refused: NSError?
        var failure: (any Error)?
        NSFileCoordinator(filePresenter: self).coordinate(writingItemAt: url, options: .forReplacing, error: &refused) {
            url in
            let temporary = SafeFile.temporary(for: url)
            do {
                try writeContents(contents.value, to: temporary, for: operation)
                try keepOther(url)
                try SafeFile.replace(url, with: temporary)
                let stamp = ItemStamp(url)
                condition.withLock { $0.stamp = stamp }
            } catch {
                try? FileManager.default.removeItem(at: temporary)
                failure = error
            }
        }
        if let error = failure ?? refused { throw error }
    }

    /// What others saved since the document was read is kept as a version in conflict, before it is replaced.
    private func keepOther(_ url: URL) throws {
        let known = condition.withLock { $0.url == url && !$0.state.contains(.closed) ? $0.stamp : nil }
        guard let known, let now = ItemStamp(url), now != known else { return }
        _ = try VersionFolder(url).add(url, isConflict: true)
    }

    private func saved(_ url: URL, _ operation: SaveOperation, _ counted: Int) {
        condition.withLock { condition in
            condition.error = nil
            // What was changed while the contents were written is not saved yet.
            condition.changes -= counted
            condition.autosave?.cancel()
            condition.autosave = nil
            condition.url = url
            scheduleAutosave(&condition)
        }
        change { $0.remove(.savingError) }
        if documentState.contains(.closed), operation == .forCreating { begin() } else { noteConflicts() }
    }

    /// Contents on their way from the program to the queue of files, which have no other owner then.
    private struct Contents: @unchecked Sendable {
        let value: Any
        init(_ value: Any) { self.value = value }
    }
}
