extension UndoManager {
    /// The group to which a name or a detail that is set now belongs.
    var namedGroup: UndoGroup? { history.open ?? history.undoable.last }

    /// The group that `undo()` would perform, once it is closed.
    var groupToUndo: UndoGroup? {
        if performance == .none, let open = history.open, open.pending > 0 { return open }
        return history.undoable.last
    }

    /// A name for a detail of an undo or redo, such as an icon or the time.
    public struct UserInfoKey: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
        /// The name.
        public let rawValue: String

        /// A key of that name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A key of that name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// A key of that name.
        public init(stringLiteral value: String) { rawValue = value }
    }

    /// Attaches a detail to the group that `setActionName(_:)` would name; nil removes it.
    public func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) {
        guard isUndoRegistrationEnabled else { return }
        namedGroup?.userInfo[key] = info
    }

    /// A detail of the changes that `undo()` would revert.
    public func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { groupToUndo?.userInfo[key] }

    /// A detail of the changes that `redo()` would repeat.
    public func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { history.redoable.last?.userInfo[key] }

    /// Sets whether the step registered last may be lost without asking, such as a change of the window.
    public func setActionIsDiscardable(_ discardable: Bool) {
        guard isUndoRegistrationEnabled else { return }
        namedGroup?.setLastActionIsDiscardable(discardable)
    }

    /// Whether everything that `undo()` would revert is discardable.
    public var undoActionIsDiscardable: Bool { groupToUndo?.isDiscardable ?? false }

    /// Whether everything that `redo()` would repeat is discardable.
    public var redoActionIsDiscardable: Bool { history.redoable.last?.isDiscardable ?? false }
}
