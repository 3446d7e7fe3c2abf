import CoreDataStore

/// One change in a context, with what is needed to take it back.
///
/// A relationship has an entry for each of its two sides, so each entry is reverted on its own side alone.
struct JournalEntry {
    let object: NSManagedObject
    let change: Change

    enum Change {
        /// The slot had another value.
        case value(Int, FormerValue)
        /// The object became a member of the to-many relationship.
        case addition(NSManagedObject, Int)
        /// The member left the to-many relationship.
        case removal(NSManagedObject, Int)
        /// The members had another order.
        case order(Int, [NSManagedObject])
        /// What is to take the place of members that could not be read was this.
        case replacement(Int, ObjectList<NSManagedObject>?)
        /// The object came into the context as a new one.
        case insertion
        /// A new object was taken out of the context, which took its insertion back.
        case withdrawal
        /// The object was marked as deleted.
        case deletion(DeletedObjectSnapshot)
        /// The mark was taken away.
        case undeletion
    }
}

/// What a slot held before a change.
struct FormerValue {
    /// The value; nil if it is the one in the row.
    let held: HeldValue?
    /// Whether it was the committed value.
    let isCommitted: Bool
    /// The snapshot of that time; nil for a fault that could not be read.
    let slab: RowSlab?
    let row: UInt16

    func isCommitted(in object: NSManagedObject) -> Bool {
        isCommitted && (slab == nil || slab === object.slab && row == object.rowIndex)
    }
}
