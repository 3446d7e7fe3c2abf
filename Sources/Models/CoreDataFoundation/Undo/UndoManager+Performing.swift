extension UndoManager {
    func undoTopLevel() {
        refuseWhilePerforming("undo()")
        post(.NSUndoManagerCheckpoint)
        if groupingLevel == 1 { closeGroup() }
        guard groupingLevel == 0 else {
            stop("undo() was called with \(groupingLevel) groups open; close the nested ones with endUndoGrouping()")
        }
        undoNestedGroup()
    }

    func undoLast() {
        refuseWhilePerforming("undoNestedGroup()")
        post(.NSUndoManagerCheckpoint)
        guard let group = groupToPerform() else { return }
        perform(group, as: .undo, notifying: (.NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange))
    }

    func redoLast() {
        refuseWhilePerforming("redo()")
        post(.NSUndoManagerCheckpoint)
        guard let group = history.redoable.popLast() else { return }
        perform(group, as: .redo, notifying: (.NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange))
    }

    private func refuseWhilePerforming(_ call: String) {
        guard performance != .none else { return }
        stop("\(call) was called during \(performance == .undo ? "an undo" : "a redo")")
    }

    private func groupToPerform() -> UndoGroup? {
        guard let open = history.open else { return history.undoable.popLast() }
        guard let nested = open.popNested() else {
            stop("undoNestedGroup() needs a closed group at the end of the open one; close it with endUndoGrouping()")
        }
        return nested
    }

    /// Performs the steps of a group, newest first, while another group records their inverse.
    private func perform(
        _ group: UndoGroup, as kind: Performance,
        notifying notices: (before: Notification.Name, after: Notification.Name)
    ) {
        post(notices.before)
        performance = kind
        discardsRunningGroup = false
        openInverse(of: group)
        for action in group.actions.reversed() {
            guard !discardsRunningGroup else { break }
            history.forget(action)
            action.perform()
        }
        closeInverse()
        performance = .none
        post(notices.after)
    }

    private func openInverse(of group: UndoGroup) {
        let inverse = UndoGroup()
        inverse.inherit(from: group)
        history.suspended = history.open
        history.open = inverse
        post(.NSUndoManagerDidOpenUndoGroup)
    }

    private func closeInverse() {
        guard groupingLevel == 1 else {
            stop("a handler called beginUndoGrouping() during an undo or redo without endUndoGrouping()")
        }
        closeGroup()
        history.open = history.suspended
        history.suspended = nil
    }
}
