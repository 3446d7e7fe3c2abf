/// The state of an undo manager: the stacks, the open group, and the steps by target.
///
/// Only stores; the rules and notifications are the manager's.
final class UndoHistory {
    let undoable = UndoStack()
    /// The groups that can be redone; `attempt` replaces the stack temporarily by an empty one.
    var redoable = UndoStack()
    var open: UndoGroup?
    /// The open group while one nested in it is being undone, or while a redo is recorded.
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

    /// Removes a performed or dropped step from its target's list, so that the list does not grow.
    func forget(_ action: UndoAction) {
        guard let place = byTarget.index(forKey: action.targetIdentity) else { return }
        byTarget.values[place][action.number] = nil
        if byTarget.values[place].isEmpty { byTarget.remove(at: place) }
    }

    /// Removes the steps of a group that is no longer on a stack from the lists of their targets.
    func forget(_ group: UndoGroup) {
        for action in group.actions { forget(action) }
    }

    /// Drops all groups of a stack.
    func clear(_ stack: UndoStack) {
        while let group = stack.popLast() { forget(group) }
    }

    /// Drops the oldest groups of a stack until at most `limit` are left.
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
