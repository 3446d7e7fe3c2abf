/// What happens to the objects at the other end of a relationship when an object is deleted.
public enum NSDeleteRule: UInt, Sendable {
    /// Nothing: the other end may keep pointing at an object that is gone.
    case noActionDeleteRule = 0
    /// The other end forgets the deleted object.
    case nullifyDeleteRule = 1
    /// The objects at the other end are deleted too.
    case cascadeDeleteRule = 2
    /// The deletion is refused while there is an object at the other end.
    case denyDeleteRule = 3
}
