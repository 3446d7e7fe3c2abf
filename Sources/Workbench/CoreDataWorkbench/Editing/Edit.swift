import CoreData

/// What becomes of one property, not yet compared with a model.
package enum Edit: Sendable {
    case set(EditValue)
    /// Adds objects to a to-many relationship: at a place of an ordered one, otherwise behind the others.
    case add(EditValue, at: Int? = nil)
    case remove(EditValue)
    /// Moves a member of an ordered relationship, by places counted from 0.
    case move(from: Int, to: Int)

    /// Whether it is for the members of a to-many relationship only.
    var isOfMembers: Bool {
        if case .set = self { false } else { true }
    }
}
