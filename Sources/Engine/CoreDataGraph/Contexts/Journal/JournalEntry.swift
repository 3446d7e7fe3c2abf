import CoreDataStore

/// One change in a context, with the data to revert it.
///
/// A relationship has an entry for each of its two sides, so each entry is reverted on its own side alone.
struct JournalEntry {
    let object: NSManagedObject
    let change: Change

    enum Change {
        /// The slot had the former value.
        case value(Int, FormerValue)
        /// The object was added to the to-many relationship with that number.
        case addition(NSManagedObject, Int)
        /// The object was removed from the to-many relationship with that number.
        case removal(NSManagedObject, Int)
        /// The members of the ordered relationship had this order.
        case order(Int, [NSManagedObject])
        /// Members that were not loaded were to be replaced with this list; nil if they were not to be replaced.
        case replacement(Int, ObjectList<NSManagedObject>?)
        /// The object was inserted.
        case insertion
        /// An inserted object was removed from the context, which reverted its insertion.
        case withdrawal
        /// The object was marked as deleted.
        case deletion(DeletedObjectSnapshot)
        /// The mark as deleted was removed.
        case undeletion
    }
}

/// The content of a slot before a change.
struct FormerValue {
    /// The value; nil if it is the one in the row.
    let held: HeldValue?
    /// Whether the value was that of the last fetch or save.
    let isCommitted: Bool
    /// The row at that time; nil for a fault that could not be read.
    let slab: RowSlab?
    let row: UInt16

    func isCommitted(in object: NSManagedObject) -> Bool {
        isCommitted && (slab == nil || slab === object.slab && row == object.rowIndex)
    }
}
