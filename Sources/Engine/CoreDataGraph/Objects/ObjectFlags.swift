/// The present state of a managed object.
struct ObjectFlags: OptionSet {
    let rawValue: UInt32

    static let fault = ObjectFlags(rawValue: 1)
    static let inserted = ObjectFlags(rawValue: 2)
    static let updated = ObjectFlags(rawValue: 4)
    static let deleted = ObjectFlags(rawValue: 8)
    /// In its registry's table under its key.
    static let registered = ObjectFlags(rawValue: 16)
    /// Never saved: the key is a temporary one.
    static let temporary = ObjectFlags(rawValue: 32)
    /// In its context's list of pending objects.
    static let pending = ObjectFlags(rawValue: 64)
    /// Running `awakeFromFetch`, or `awake(fromSnapshotEvents:)` after undo or a merge policy: changes are untracked.
    static let awaking = ObjectFlags(rawValue: 128)
    /// The record was deleted from the store. Values read as nil, unless `mergedDeletion` is set.
    static let inaccessible = ObjectFlags(rawValue: 256)
    /// Changed since the context's last change notification.
    static let unannounced = ObjectFlags(rawValue: 512)
    /// Deleted, and the delete rules of its relationships have been applied.
    static let deletionPropagated = ObjectFlags(rawValue: 1024)
    /// Removed from its context for good: its deletion was saved, or a merge or the parent context reported that its
    /// record is gone.
    static let left = ObjectFlags(rawValue: 4096)
    /// Its context was reset.
    static let invalidated = ObjectFlags(rawValue: 8192)

    /// The program has a mutable ordered set that shows the members of one of the object's relationships.
    static let displayed = ObjectFlags(rawValue: 1 << 14)

    /// Has observers, or tracked reads of its properties: `ObserverTable` has an entry for it.
    static let observed = ObjectFlags(rawValue: 1 << 18)
    /// In a context that tracks which properties are read.
    static let tracked = ObjectFlags(rawValue: 1 << 19)

    /// Inserted into its context in the present event: undoing that reverts all its changes, which are not recorded.
    static let newborn = ObjectFlags(rawValue: 1 << 15)
    /// Removed from its context by an undo; a redo brings it back with all its values.
    static let withdrawn = ObjectFlags(rawValue: 1 << 16)

    /// In a context that detects uses off its queue.
    static let guarded = ObjectFlags(rawValue: 1 << 24)

    /// Running `prepareForDeletion`.
    static let preparingDeletion = ObjectFlags(rawValue: 1 << 22)
    /// Inaccessible, and counts as deleted by the context's setting.
    static let countsAsDeleted = ObjectFlags(rawValue: 1 << 23)

    /// Inaccessible since a merge reported the deletion of its record; keeps its values until the next save.
    static let mergedDeletion = ObjectFlags(rawValue: 1 << 27)

    /// A fault without a row for which a fetch returned some values.
    static let partial = ObjectFlags(rawValue: 1 << 25)

    /// A number outside its attribute's range was set, which validation refuses if the attribute still has it.
    static let exceeding = ObjectFlags(rawValue: 1 << 26)

    /// The program has associated a value with the object.
    static let associated = ObjectFlags(rawValue: 1 << 28)

    /// The flags that say that side tables have entries for the object; no change of its state removes them.
    static let accompanied: ObjectFlags = [.observed, .associated]
    static let changed: ObjectFlags = [.inserted, .updated, .deleted]
    /// There is nothing to read from the store: the object was never saved, or its record is gone.
    static let unstored: ObjectFlags = [.temporary, .inaccessible]
    /// The flags of an object whose record is gone.
    static let gone: ObjectFlags = [.inaccessible, .countsAsDeleted, .mergedDeletion]
    /// With one of these, reading a property requires more than reading its slot.
    static let readWithCare: ObjectFlags = [.fault, .tracked, .guarded]
    /// With one of these, changes of properties are not recorded for undo.
    static let unrecorded: ObjectFlags = [.awaking, .inaccessible, .newborn]
    /// Both together: the object is in its context's list of pending objects and in the next change notification.
    static let noticed: ObjectFlags = [.pending, .unannounced]
}
