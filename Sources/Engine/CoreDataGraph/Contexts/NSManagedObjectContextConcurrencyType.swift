/// The kind of a context's queue.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// No queue that the context's users keep to: they see to it that one thread uses it at a time. Deprecated by Apple.
    ///
    /// Work given to `perform` runs on a queue of the context's own all the same, where Apple's framework raises.
    case confinementConcurrencyType = 0
    /// A queue of the context's own.
    case privateQueueConcurrencyType = 1
    /// The main queue.
    case mainQueueConcurrencyType = 2
}
