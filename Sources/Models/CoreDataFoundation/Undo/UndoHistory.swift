/// What an undo manager remembers: the stacks, the group that is open, and who is the target of what.
///
/// Plain bookkeeping without rules or notifications, which are the manager's.
final class UndoHistory {
    let undoable = UndoStack()
    /// What can be redone; another stack while an attempt keeps what could be.
    var redoable = UndoStack()
    var open: UndoGroup?
    /// The group in which a nested one is being undone, or a redo recorded.
    var suspended: UndoGroup?
    private var byTarget: [ObjectIdentifier: [Int: UndoAction]] = [:]
    private var lastNumber = 0

    /// Adds a step to the group that is open.
    func register(target: AnyObject, handler: @escaping (AnyObject) -> Void) {
        guard let open else { return }
        lastNumber += 1
        let action = UndoAction(number: lastNumber, target: target, group: open, handler: handler)
        open.append(action)
        byTarget[action.targetIdentity, default: [:]][action.number] = action
    }

    /// Forgets a step, performed or dropped, so that its target's list does not grow.
    func forget(_ action: UndoAction) {
        guard let place = byTarget.index(forKey: action.targetIdentity) else { return }
        byTarget.values[place][action.number] = nil
        if byTarget.values[place].isEmpty { byTarget.remove(at: place) }
    }

    /// Drops a group that is on no stack any more.
    func forget(_ group: UndoGroup) {
        for action in group.actions { forget(action) }
    }

    /// Drops all groups of a stack.
    func clear(_ stack: UndoStack) {
        while let group = stack.popLast() { forget(group) }
    }

    /// Drops the oldest groups of a stack until no more than so many are left.
    func trim(_ stack: UndoStack, to limit: Int) {
        while stack.count > limit, let group = stack.popFirst() { forget(group) }
    }

    /// Removes the steps of a target; takes time in proportion to their number.
    func removeActions(of target: ObjectIdentifier) {
        guard let actions = byTarget.removeValue(forKey: target) else { return }
        for action in actions.values where action.isPending {
            action.cancel()
            action.group.lose(action)
        }
    }

    /// Removes everything.
    func removeAll() {
        for actions in byTarget.values { for action in actions.values { action.cancel() } }
        byTarget = [:]
        undoable.removeAll()
        redoable.removeAll()
        open = nil
        suspended = nil
    }
}
