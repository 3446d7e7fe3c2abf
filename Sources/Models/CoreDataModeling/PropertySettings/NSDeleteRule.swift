/// What deleting an object does to the objects of a relationship.
public enum NSDeleteRule: UInt, Sendable {
    /// Nothing: related objects may still refer to the deleted object.
    case noActionDeleteRule = 0
    /// The inverse relationship of the related objects no longer refers to the deleted object.
    case nullifyDeleteRule = 1
    /// The related objects are deleted too.
    case cascadeDeleteRule = 2
    /// The deletion is refused if there is a related object.
    case denyDeleteRule = 3
}
