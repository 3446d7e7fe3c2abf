import CoreDataFoundation
import LockKit

extension UIDocument {
    /// Opens the document: reads the file, in turn with others.
    ///
    /// - Parameter completionHandler: Whether it is open; `lastError` says why not.
    public func open(completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        fileQueue.async { [self] in
            guard documentState.contains(.closed) else { return complete(completionHandler, true) }
            SafeFile.restore(fileURL)
            let isRead = readFile()
            if isRead { begin() }
            complete(completionHandler, isRead)
        }
    }

    /// Opens the document.
    ///
    /// - Returns: Whether it is open; `lastError` says why not.
    public func open() async -> Bool {
        await withCheckedContinuation { waiting in open { waiting.resume(returning: $0) } }
    }

    /// Saves what was not saved, and closes the document.
    ///
    /// - Parameter completionHandler: Whether all was saved. Otherwise the document stays open.
    public func close(completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        autosave { [self] isSaved in
            guard isSaved else { return complete(completionHandler, false) }
            fileQueue.async { [self] in
                end()
                complete(completionHandler, true)
            }
        }
    }

    /// Saves what was not saved, and closes the document.
    ///
    /// - Returns: Whether all was saved. Otherwise the document stays open.
    public func close() async -> Bool {
        await withCheckedContinuation { waiting in close { waiting.resume(returning: $0) } }
    }

    /// Reads the file again and gives up what was not saved.
    public func revert(toContentsOf url: URL, completionHandler: (@Sendable (Bool) -> Void)? = nil) {
        fileQueue.async { [self] in
            change { $0.insert(.editingDisabled) }
            let isRead = readFile(url)
            if isRead { updateChangeCount(.cleared) }
            change { $0.remove(.editingDisabled) }
            complete(completionHandler, isRead)
        }
    }

    // MARK: On the queue of files

    private func readFile(_ other: URL? = nil) -> Bool {
        var refused: NSError?
        var failure: (any Error)?
        NSFileCoordinator(filePresenter: self).coordinate(readingItemAt: other ?? fileURL, error: &refused) { url in
            do {
                let stamp = ItemStamp(url)
                try read(from: url)
                condition.withLock { condition in
                    condition.error = nil
                    if other == nil || other == condition.url { condition.stamp = stamp }
                }
            } catch { failure = error }
        }
        guard let error = failure ?? refused else { return true }
        handleError(error, userInteractionPermitted: true)
        return false
    }

    /// The document is open from now on.
    func begin() {
        NSFileCoordinator.addFilePresenter(self)
        let watch = FolderWatch([fileURL.deletingLastPathComponent().path, fileURL.path]) { [weak self] in
            self?.lookForChanges()
        }
        condition.withLock { $0.watch = watch }
        change { $0.remove(.closed) }
        noteConflicts()
    }

    private func end() {
        NSFileCoordinator.removeFilePresenter(self)
        let (work, watch) = condition.withLock { condition in
            defer { (condition.autosave, condition.watch) = (nil, nil) }
            return (condition.autosave, condition.watch)
        }
        work?.cancel()
        watch?.end()
        change { $0.insert(.closed) }
    }

    /// The state follows the versions beside the file.
    func noteConflicts() {
        let isInConflict = NSFileVersion.unresolvedConflictVersionsOfItem(at: fileURL)?.isEmpty == false
        change { state in if isInConflict { state.insert(.inConflict) } else { state.remove(.inConflict) } }
    }

    /// The file may have been written by others: it is read again if nothing would be lost by that.
    func lookForChanges() {
        fileQueue.async { [self] in
            guard !documentState.contains(.closed) else { return }
            noteConflicts()
            let (url, stamp) = condition.withLock { ($0.url, $0.stamp) }
            guard !hasUnsavedChanges, let now = ItemStamp(url), now != stamp else { return }
            _ = readFile()
        }
    }

    // MARK: NSFilePresenter

    /// Others wrote the file.
    public func presentedItemDidChange() { lookForChanges() }
    /// The file has another place.
    public func presentedItemDidMove(to newURL: URL) { condition.withLock { $0.url = newURL } }
    /// A conflict is resolved.
    public func presentedItemDidResolveConflict(_ version: NSFileVersion) { noteConflicts() }

    /// Saves what was not saved.
    public func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        autosave { [self] in completionHandler($0 ? nil : lastError ?? CocoaError(.fileWriteUnknown)) }
    }

    /// Closes the document without saving.
    public func accommodatePresentedItemDeletion(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        fileQueue.async { [self] in
            updateChangeCount(.cleared)
            end()
            completionHandler(nil)
        }
    }
}
