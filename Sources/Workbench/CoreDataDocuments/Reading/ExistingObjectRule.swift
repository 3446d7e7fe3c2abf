/// What becomes of an object that is there already.
package enum ExistingObjectRule: String, CaseIterable, Sendable {
    /// It gets the values of the record, as a merge policy does in which those of the object in memory count.
    case update
    /// It stays as it is, as with a merge policy in which the values of the store count.
    case keep
    /// The record is refused, as with the merge policy that reports conflicts.
    case refuse
}
