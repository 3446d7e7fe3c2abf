extension UndoManager {
    /// The group of the present event: whether its end is scheduled, and has come.
    struct Event {
        /// Counts the groups, so that a late end does not close the next one.
        var number = 0
        var hasEnded = false
        /// Whether a context ends events, and the main queue does not.
        var isEndedByOwner = false
    }

    /// Makes sure that there is a group for a step.
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

    /// Puts a closed group on its stack; what a redo records while a group is open becomes one nested in that.
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

    /// Whether the manager's owner calls `endEvent()`, so that the main queue must not: so for private-queue contexts.
    package var ownerEndsEvents: Bool {
        get { event.isEndedByOwner }
        set { event.isEndedByOwner = newValue }
    }

    /// Closes the event's group; if a group in it is still open, the event's ends after that one.
    ///
    /// For the owner of a context, at the end of its event. Does nothing during an undo or redo.
    package func endEvent() {
        guard performance == .none, history.open?.isOfEvent == true else { return }
        event.hasEnded = true
        if groupingLevel == 1 { closeGroup() }
    }

    /// Closes the event's group when the main queue gets to work next; on other queues that is the context's part.
    private func scheduleEndOfEvent() {
        guard !event.isEndedByOwner, MainQueue.isCurrent else { return }
        let end = EndOfEvent(manager: self, number: event.number)
        DispatchQueue.main.async { end.perform() }
    }

    /// The end of one event, on its way through the main queue.
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
