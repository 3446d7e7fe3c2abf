/// The kind of a context's queue.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// The context has no queue of its own: its users make sure that one thread uses it at a time. Deprecated by Apple.
    ///
    /// `perform` runs its block on a private queue all the same; Apple's framework raises an exception.
    case confinementConcurrencyType = 0
    /// A queue of the context's own.
    case privateQueueConcurrencyType = 1
    /// The main queue.
    case mainQueueConcurrencyType = 2
}
