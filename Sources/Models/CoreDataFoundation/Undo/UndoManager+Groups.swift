extension UndoManager {
    /// The state of the current event's group.
    struct Event {
        /// Counts the events' groups, so that a delayed end of one does not close the next.
        var number = 0
        var hasEnded = false
        /// Whether a context ends events rather than the main queue.
        var isEndedByOwner = false
    }

    /// Opens the event's group for a step unless a group is open; stops the process if `groupsByEvent` is false.
    func openGroupForRegistration() {
        guard history.open == nil else { return }
        guard groupsByEvent else {
            stop("registerUndo(withTarget:handler:) needs beginUndoGrouping() first, since groupsByEvent is false")
        }
        openEventGroup()
    }

    func beginGroup() {
        if history.open == nil, groupsByEvent { openEventGroup() }
        if history.open != nil, performance == .none { post(.NSUndoManagerCheckpoint) }
        if let open = history.open { open.beginNested() } else { history.open = UndoGroup() }
        post(.NSUndoManagerDidOpenUndoGroup)
    }

    func endGroup() {
        guard history.open != nil else { stop("endUndoGrouping() was called without beginUndoGrouping()") }
        guard performance == .none || groupingLevel > 1 else {
            stop("endUndoGrouping() was called for the group of the undo or redo that is going on")
        }
        closeGroup()
        if event.hasEnded, groupingLevel == 1, history.open?.isOfEvent == true { scheduleEndOfEvent() }
    }

    /// Closes the innermost group: a nested one stays in its parent, a top-level one moves to its stack.
    func closeGroup() {
        post(.NSUndoManagerCheckpoint)
        guard let group = history.open else { return }
        let isDiscardable = group.isDiscardable
        post(.NSUndoManagerWillCloseUndoGroup, isDiscardable ? [NSUndoManagerGroupIsDiscardableKey: true] : nil)
        if group.openNested.isEmpty {
            history.open = nil
            keep(group)
        } else {
            group.endNested()
        }
        post(.NSUndoManagerDidCloseUndoGroup)
    }

    /// Puts a closed group on its stack; the inverse of a redo performed while a group is open becomes nested in that
    /// group.
    private func keep(_ group: UndoGroup) {
        guard group.pending > 0 else { return history.forget(group) }
        if performance == .redo, let outer = history.suspended { return outer.appendNested(group) }
        (performance == .undo ? history.redoable : history.undoable).push(group)
        trimStacks()
    }

    func trimStacks() {
        guard levelsOfUndo > 0 else { return }
        history.trim(history.undoable, to: levelsOfUndo)
        history.trim(history.redoable, to: levelsOfUndo)
    }
}

// MARK: Events

extension UndoManager {
    private func openEventGroup() {
        history.open = UndoGroup(isOfEvent: true)
        event.number += 1
        event.hasEnded = false
        scheduleEndOfEvent()
        post(.NSUndoManagerDidOpenUndoGroup)
    }

    /// Whether the manager's owner, such as a private-queue context, calls `endEvent()`, so that the main queue must
    /// not.
    package var ownerEndsEvents: Bool {
        get { event.isEndedByOwner }
        set { event.isEndedByOwner = newValue }
    }

    /// Closes the event's group; if a nested group is still open, the event's group is closed after that one.
    ///
    /// For the owner of a context, at the end of its event. Does nothing during an undo or redo.
    package func endEvent() {
        guard performance == .none, history.open?.isOfEvent == true else { return }
        event.hasEnded = true
        if groupingLevel == 1 { closeGroup() }
    }

    /// On the main queue, schedules the end of the event's group as its next work; on other queues the context ends it.
    private func scheduleEndOfEvent() {
        guard !event.isEndedByOwner, MainQueue.isCurrent else { return }
        let end = EndOfEvent(manager: self, number: event.number)
        DispatchQueue.main.async { end.perform() }
    }

    /// The scheduled end of one event.
    private struct EndOfEvent: @unchecked Sendable {
        // Sendable because it is made and performed on the main queue only.
        weak var manager: UndoManager?
        let number: Int

        func perform() {
            guard let manager, !manager.ownerEndsEvents, manager.event.number == number else { return }
            manager.endEvent()
        }
    }
}
