/// Records steps that revert changes, in groups, and performs them as undo and redo.
///
/// A target is referenced weakly: a step whose target has been deallocated is skipped, where Apple's crashes. A handler
/// is retained until its step is performed or dropped. Every group on the stacks has a step: an empty group is dropped
/// when it is closed, where Apple's keeps empty groups that were begun explicitly.
///
/// Not isolated to the main actor, unlike in Apple's recent SDKs, and without a lock: a manager belongs to the queue of
/// the context that uses it. Selectors and invocations, which need Objective-C, are missing, and so are run loop modes.
///
/// ```swift
/// let undoManager = UndoManager()
/// context.undoManager = undoManager
/// undoManager.beginUndoGrouping()
/// customer.name = "Bob"
/// context.processPendingChanges()
/// undoManager.setActionName("Rename")
/// undoManager.endUndoGrouping()
/// undoManager.undo()
/// ```
open class UndoManager: NSObject, AssociationHolder {
    /// The values that programs associate with the manager.
    final package var associatedObjects: AssociatedObjects?

    let history = UndoHistory()
    var performance = Performance.none
    var event = Event()
    var discardsRunningGroup = false
    private var disablings = 0

    /// What the manager is doing.
    enum Performance { case none, undo, redo }

    /// A manager with empty stacks, which groups by event and keeps any number of groups.
    public override init() { super.init() }

    // MARK: Registering

    /// Records a step that a later undo performs, or a redo if this is registered during an undo.
    ///
    /// The target is not retained. Does nothing while registration is disabled. Stops the process when no group is open
    /// and `groupsByEvent` is false.
    public func registerUndo<TargetType: AnyObject>(
        withTarget target: TargetType, handler: @escaping (TargetType) -> Void
    ) {
        guard isUndoRegistrationEnabled else { return }
        openGroupForRegistration()
        if performance == .none { history.clear(history.redoable) }
        history.register(target: target) { target in
            guard let target = target as? TargetType else { return }
            handler(target)
        }
    }

    /// Whether steps are recorded at present.
    open var isUndoRegistrationEnabled: Bool { disablings == 0 }

    /// Stops recording until `enableUndoRegistration()` has been called as many times as this method.
    ///
    /// The outermost call first posts `NSUndoManagerCheckpoint`, so that observers register their pending steps.
    open func disableUndoRegistration() {
        if disablings == 0 { post(.NSUndoManagerCheckpoint) }
        disablings += 1
    }

    /// Reverts one call of `disableUndoRegistration()`; stops the process without such a call.
    open func enableUndoRegistration() {
        guard disablings > 0 else { stop("enableUndoRegistration() was called without disableUndoRegistration()") }
        if disablings == 1 { post(.NSUndoManagerCheckpoint) }
        disablings -= 1
    }

    // MARK: Grouping

    /// Whether the first step of an event opens a group that ends with the event; true by default.
    ///
    /// An event on the main queue ends when the queue runs its next work. On another queue it ends when the context
    /// that uses the manager ends it, or with `undo()`.
    open var groupsByEvent = true

    /// The number of nested open groups; during an undo or redo, of those that record its inverse.
    open var groupingLevel: Int { history.open?.level ?? 0 }

    /// Opens a group, nested in the open one if there is one; with `groupsByEvent`, in that of the event.
    open func beginUndoGrouping() { beginGroup() }

    /// Closes the group opened last; stops the process if none is open.
    open func endUndoGrouping() { endGroup() }

    /// The largest number of top-level groups on each of the two stacks; 0, the default, means no limit.
    ///
    /// A lower number drops the oldest groups at once. Stops the process for a negative number.
    open var levelsOfUndo = 0 {
        didSet {
            guard levelsOfUndo >= 0 else { stop("levelsOfUndo cannot be negative: \(levelsOfUndo)") }
            trimStacks()
        }
    }

    // MARK: Undoing

    /// Closes the open group unless groups are nested in it, and performs the steps of the last group, newest first.
    ///
    /// Does nothing when there is nothing to undo. Stops the process while another group is open within the first, and
    /// during an undo or redo.
    open func undo() { undoTopLevel() }

    /// Performs the steps of the group undone last, and records them to be undone again.
    ///
    /// Stops the process during an undo or redo.
    open func redo() { redoLast() }

    /// Performs the steps of the group closed last, which may be nested in an open one, and records one group to redo.
    ///
    /// Stops the process if a step has been registered in the open group since then, and during an undo or redo.
    open func undoNestedGroup() { undoLast() }

    /// Whether there is a step to undo; an open group may have to be closed before `undo()` is allowed.
    open var canUndo: Bool { undoCount > 0 }

    /// Whether there is a group to redo; notifies observers of the checkpoint first, so that pending changes count.
    open var canRedo: Bool {
        post(.NSUndoManagerCheckpoint)
        return redoCount > 0
    }

    /// The number of groups that can be undone.
    open var undoCount: Int {
        let isOpenUndoable = performance == .none && (history.open?.pending ?? 0) > 0
        return history.undoable.count + (isOpenUndoable ? 1 : 0)
    }

    /// The number of groups that can be redone.
    open var redoCount: Int { history.redoable.count }

    /// Whether steps are being performed by an undo.
    open var isUndoing: Bool { performance == .undo }

    /// Whether steps are being performed by a redo.
    open var isRedoing: Bool { performance == .redo }

    // MARK: Removing

    /// Empties both stacks, forgets the open groups and enables registration.
    ///
    /// A group that was begun before must not be ended afterwards. During an undo or redo its remaining steps are
    /// dropped too.
    open func removeAllActions() {
        let isPerforming = performance != .none
        discardsRunningGroup = isPerforming
        history.removeAll()
        if isPerforming { history.open = UndoGroup() }
        disablings = 0
    }

    /// Removes the steps of one target from both stacks and the open groups, and groups that become empty.
    ///
    /// Takes time in proportion to the number of these steps. Does not enable registration.
    open func removeAllActions(withTarget target: Any) {
        history.removeActions(of: ObjectIdentifier(target as AnyObject))
    }

    // MARK: Names

    /// Names a group of steps for menus; an empty name removes the name.
    ///
    /// Names the open top-level group or, without one, the last group to undo. During an undo it names the group that
    /// redo will perform, which otherwise has the name of the undone one. Does nothing while registration is disabled.
    open func setActionName(_ actionName: String) {
        guard isUndoRegistrationEnabled else { return }
        namedGroup?.name = actionName
    }

    /// The name of the changes that `undo()` would revert; empty if they are unnamed.
    open var undoActionName: String { groupToUndo?.name ?? "" }

    /// The name of the changes that `redo()` would repeat; empty if they are unnamed.
    open var redoActionName: String { history.redoable.last?.name ?? "" }

    /// The title of a menu item for `undo()`, such as "Undo Delete".
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

    /// The title of a menu item for `redo()`, such as "Redo Delete".
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// The title for an undo of that name, in English; override it for other languages.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// The title for a redo of that name, in English; override it for other languages.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }
}

@available(*, unavailable)
extension UndoManager: Sendable {}
