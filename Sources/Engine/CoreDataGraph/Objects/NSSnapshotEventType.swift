import CoreDataStore

/// The reasons for which an object gets other values, passed to `awake(fromSnapshotEvents:)`.
public struct NSSnapshotEventType: OptionSet, Sendable {
    /// The value by which it is stored and compared.
    public let rawValue: UInt
    /// Makes the value with a raw value; any raw value is accepted.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The insertion was undone.
    public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
    /// The deletion was undone.
    public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
    /// A change was undone.
    public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
    /// The context was rolled back.
    public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
    /// The object was refreshed.
    public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
    /// A merge policy changed the object's values.
    public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}
