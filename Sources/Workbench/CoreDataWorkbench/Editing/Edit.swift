import CoreData

/// A change of one property, not yet checked against a model.
package enum Edit: Sendable {
    case set(EditValue)
    /// Adds objects to a to-many relationship: at an index of an ordered one, or at its end.
    case add(EditValue, at: Int? = nil)
    case remove(EditValue)
    /// Moves a member of an ordered relationship from one index to another, counted from 0.
    case move(from: Int, to: Int)

    /// Whether the edit applies only to the members of a to-many relationship.
    var isOfMembers: Bool {
        if case .set = self { false } else { true }
    }
}
