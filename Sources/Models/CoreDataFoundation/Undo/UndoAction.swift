/// One registered step: a handler and its target.
///
/// The target is referenced weakly: a step whose target has been deallocated is skipped. The handler is retained until
/// the step is performed or removed.
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

    /// Removes the step: releases the handler and what it captures.
    func cancel() {
        // Objects that the handler captures may access this step when they are deallocated, so it is released
        // afterwards.
        let dropped = handler
        handler = nil
        withExtendedLifetime(dropped) {}
    }

    /// Performs the step, unless it has been performed or removed or its target has been deallocated.
    func perform() {
        guard let handler else { return }
        self.handler = nil
        guard let target else { return }
        handler(target)
    }
}
