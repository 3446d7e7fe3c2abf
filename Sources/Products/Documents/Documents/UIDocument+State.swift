import CoreDataFoundation

extension UIDocument {
    /// The states of a document, which can be combined.
    public struct State: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt
        /// Makes a set of bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The document is open, and nothing is wrong.
        public static let normal: State = []
        /// The document is not open: its contents are not to be used.
        public static let closed = State(rawValue: 1 << 0)
        /// There are versions that were saved without knowledge of each other: see ``NSFileVersion``.
        public static let inConflict = State(rawValue: 1 << 1)
        /// The last save failed; `lastError` says why.
        public static let savingError = State(rawValue: 1 << 2)
        /// The user is not to edit, as while the document is read again.
        public static let editingDisabled = State(rawValue: 1 << 3)
        /// A download or upload is under way.
        public static let progressAvailable = State(rawValue: 1 << 4)
    }

    /// How a document is saved.
    public enum SaveOperation: Int, Sendable {
        /// For the first time.
        case forCreating
        /// Over what is there.
        case forOverwriting
    }

    /// What happened to a document's contents.
    public enum ChangeKind: Int, Sendable {
        /// They were changed.
        case done
        /// A change was undone.
        case undone
        /// A change that was undone was made again.
        case redone
        /// They are as they were saved.
        case cleared
    }

    /// Is posted after each change of a document's state, with the document as object.
    public static let stateChangedNotification = Notification.Name("UIDocumentStateChangedNotification")
}
