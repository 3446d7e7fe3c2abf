/// What is true of a managed object at the moment.
struct ObjectFlags: OptionSet {
    let rawValue: UInt32

    static let fault = ObjectFlags(rawValue: 1)
    static let inserted = ObjectFlags(rawValue: 2)
    static let updated = ObjectFlags(rawValue: 4)
    static let deleted = ObjectFlags(rawValue: 8)
    /// Known by its registry under its key.
    static let registered = ObjectFlags(rawValue: 16)
    /// Never saved: the key is a temporary one.
    static let temporary = ObjectFlags(rawValue: 32)
    /// In its context's list of pending objects.
    static let pending = ObjectFlags(rawValue: 64)
    /// Running `awakeFromFetch`: changes are not tracked.
    static let awaking = ObjectFlags(rawValue: 128)
    /// The record is gone from the store: values read as nil.
    static let inaccessible = ObjectFlags(rawValue: 256)
    /// Changed since the changes were last announced.
    static let unannounced = ObjectFlags(rawValue: 512)
    /// The delete rules of its deletion have been followed.
    static let deletionPropagated = ObjectFlags(rawValue: 1024)
    /// Removed from its context: deleted and saved, or an insertion that was undone.
    static let left = ObjectFlags(rawValue: 4096)
    /// Its context was reset.
    static let invalidated = ObjectFlags(rawValue: 8192)

    /// An ordered set that the program was given shows the members of a relationship.
    static let displayed = ObjectFlags(rawValue: 1 << 14)

    /// Has observers, or reads of it were tracked: `ObserverTable` has an entry for it.
    static let observed = ObjectFlags(rawValue: 1 << 18)
    /// Lives in a context that tracks which properties are read.
    static let tracked = ObjectFlags(rawValue: 1 << 19)

    /// Entered its context in the present event: undoing that undoes every change of it.
    static let newborn = ObjectFlags(rawValue: 1 << 15)
    /// Removed from its context by an undo; a redo restores it with all its values.
    static let withdrawn = ObjectFlags(rawValue: 1 << 16)

    /// Lives in a context whose uses off its queue are to be found.
    static let guarded = ObjectFlags(rawValue: 1 << 24)

    /// Running `prepareForDeletion`.
    static let preparingDeletion = ObjectFlags(rawValue: 1 << 22)
    /// Inaccessible, and the context wants that to count as deleted.
    static let countsAsDeleted = ObjectFlags(rawValue: 1 << 23)

    /// Inaccessible since a merge brought the deletion of its record; keeps its values until the context is next saved.
    static let mergedDeletion = ObjectFlags(rawValue: 1 << 27)

    /// A fault without a row that has been given some of its values.
    static let partial = ObjectFlags(rawValue: 1 << 25)

    /// Was given a number beyond its attribute's range, which validation is to refuse if it is still there.
    static let exceeding = ObjectFlags(rawValue: 1 << 26)

    /// The program has associated something with the object.
    static let associated = ObjectFlags(rawValue: 1 << 28)

    /// What stands beside an object and stays whatever becomes of it.
    static let accompanied: ObjectFlags = [.observed, .associated]
    static let changed: ObjectFlags = [.inserted, .updated, .deleted]
    /// No store has anything of the object that it has not read: it was never saved, or its record is gone.
    static let unstored: ObjectFlags = [.temporary, .inaccessible]
    /// What is said of an object whose record is gone.
    static let gone: ObjectFlags = [.inaccessible, .countsAsDeleted, .mergedDeletion]
    /// Reading a property takes more than looking at its slot.
    static let readWithCare: ObjectFlags = [.fault, .tracked, .guarded]
    /// Changes of properties are not recorded.
    static let unrecorded: ObjectFlags = [.awaking, .inaccessible, .newborn]
    /// Both the save and the next notification know of the object.
    static let noticed: ObjectFlags = [.pending, .unannounced]
}
