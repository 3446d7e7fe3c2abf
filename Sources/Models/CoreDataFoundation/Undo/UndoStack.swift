/// The closed top-level groups that can be undone, or redone, the oldest first.
///
/// Groups whose last step was removed remain as holes until they are at an end or make up half of the stack, so that
/// removing the steps of a target takes time only for these steps.
final class UndoStack {
    private var groups: [UndoGroup?] = []
    private var first = 0
    private(set) var count = 0

    var last: UndoGroup? {
        dropHoles()
        return groups.last ?? nil
    }

    func push(_ group: UndoGroup) {
        group.stack = self
        groups.append(group)
        count += 1
    }

    func popLast() -> UndoGroup? {
        dropHoles()
        guard count > 0, let group = groups.removeLast() else { return nil }
        group.stack = nil
        count -= 1
        return group
    }

    /// Removes and returns the oldest group.
    func popFirst() -> UndoGroup? {
        while first < groups.count {
            let group = groups[first]
            groups[first] = nil
            first += 1
            if let group, group.pending > 0 {
                group.stack = nil
                count -= 1
                compactIfSparse()
                return group
            }
        }
        return nil
    }

    func removeAll() {
        for group in groups { group?.stack = nil }
        (groups, first, count) = ([], 0, 0)
    }

    /// Subtracts a group without steps from the count.
    func lose(_ group: UndoGroup) {
        group.stack = nil
        count -= 1
        compactIfSparse()
    }

    private func dropHoles() {
        while groups.count > first, (groups[groups.count - 1]?.pending ?? 0) == 0 { groups.removeLast() }
    }

    private func compactIfSparse() {
        guard groups.count > 2 * count + 16 else { return }
        groups = groups.filter { ($0?.pending ?? 0) > 0 }
        first = 0
    }
}
