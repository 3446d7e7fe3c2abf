/// A top-level group: its steps in the order of registration, with entries for the start and end of nested groups.
///
/// Invariants:
/// 1. `entries` is flat, so that groups nested to any depth are released and performed without recursion.
/// 2. `openNested` has the indexes of the entries that begin nested groups not yet closed, outermost first.
/// 3. `pending` counts the steps that were not removed; a closed group without any is not on a stack.
final class UndoGroup {
    enum Entry {
        case action(UndoAction)
        case began
        case ended(beganAt: Int)
    }

    private(set) var entries: [Entry] = []
    private(set) var openNested: [Int] = []
    private(set) var pending = 0
    private var discardable = 0
    private weak var lastAction: UndoAction?
    weak var stack: UndoStack?
    let isOfEvent: Bool
    var name = ""
    var userInfo: [UndoManager.UserInfoKey: Any] = [:]

    init(isOfEvent: Bool = false) { self.isOfEvent = isOfEvent }

    var level: Int { 1 + openNested.count }
    var isDiscardable: Bool { pending > 0 && discardable == pending }

    func append(_ action: UndoAction) {
        entries.append(.action(action))
        action.group = self
        pending += 1
        if action.isDiscardable { discardable += 1 }
        lastAction = action
    }

    func beginNested() {
        openNested.append(entries.count)
        entries.append(.began)
    }

    func endNested() {
        guard let start = openNested.popLast() else { return }
        entries.append(.ended(beganAt: start))
    }

    /// Sets whether the step registered last may be lost without asking the user.
    func setLastActionIsDiscardable(_ isDiscardable: Bool) {
        guard let action = lastAction, action.isPending, action.isDiscardable != isDiscardable else { return }
        action.isDiscardable = isDiscardable
        discardable += isDiscardable ? 1 : -1
    }

    /// Subtracts a removed step from the counts; a closed group without further steps leaves its stack.
    func lose(_ action: UndoAction) {
        pending -= 1
        if action.isDiscardable { discardable -= 1 }
        if pending == 0 { stack?.lose(self) }
    }

    /// Removes and returns the nested group that was closed last; nil if the last entry is not a group.
    func popNested() -> UndoGroup? {
        while case .action(let action)? = entries.last, !action.isPending { entries.removeLast() }
        guard case .ended(let start)? = entries.last else { return nil }
        let nested = UndoGroup()
        nested.inherit(from: self)
        for action in Self.actions(of: entries[start...]) where action.isPending {
            lose(action)
            nested.append(action)
        }
        entries.removeSubrange(start...)
        return nested
    }

    /// Copies the name and details of a group of which this one is a part or the inverse.
    func inherit(from group: UndoGroup) {
        name = group.name
        userInfo = group.userInfo
    }

    /// All steps, in the order of registration.
    var actions: [UndoAction] { Self.actions(of: entries[...]) }

    /// Appends a closed group as a nested one.
    func appendNested(_ group: UndoGroup) {
        beginNested()
        for action in group.actions where action.isPending { append(action) }
        endNested()
    }

    private static func actions(of entries: ArraySlice<Entry>) -> [UndoAction] {
        entries.compactMap { entry in
            guard case .action(let action) = entry else { return nil }
            return action
        }
    }
}
