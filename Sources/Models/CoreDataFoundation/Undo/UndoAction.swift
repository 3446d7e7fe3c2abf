/// One registered step: a handler and its target.
///
/// The target is referenced weakly, so a step whose target is gone is skipped; the handler is retained until the step is
/// performed or dropped.
final class UndoAction {
    let number: Int
    let targetIdentity: ObjectIdentifier
    private weak var target: AnyObject?
    private var handler: ((AnyObject) -> Void)?
    var isDiscardable = false
    unowned var group: UndoGroup

    init(number: Int, target: AnyObject, group: UndoGroup, handler: @escaping (AnyObject) -> Void) {
        self.number = number
        self.target = target
        self.group = group
        self.handler = handler
        targetIdentity = ObjectIdentifier(target)
    }

    /// Whether the step has been neither performed nor removed.
    var isPending: Bool { handler != nil }

    /// Releases the handler and all that it holds.
    func cancel() {
        // What the handler holds may come back here when it is deallocated, so it is released after the access.
        let dropped = handler
        handler = nil
        withExtendedLifetime(dropped) {}
    }

    /// Performs the step once, if its target is still there.
    func perform() {
        guard let handler else { return }
        self.handler = nil
        guard let target else { return }
        handler(target)
    }
}
