/// A token for an observation, which lasts until the token is released or invalidated, or the object is deallocated.
///
/// Does not retain the object. Release and invalidate it on the queue of the object's context.
///
/// ```swift
/// let observation = customer.observe(\.name, options: [.old, .new]) { _, change in
///     print("renamed from \(change.oldValue as Any) to \(change.newValue as Any)")
/// }
/// customer.name = "Bob"
/// observation.invalidate()
/// ```
public final class NSKeyValueObservation: NSObject {
    private weak var observation: KeyObservation?

    init(_ observation: KeyObservation) { self.observation = observation }

    deinit { invalidate() }

    /// Ends the observation; harmless when it has ended.
    public func invalidate() {
        observation?.cancel()
        observation = nil
    }
}

@available(*, unavailable)
extension NSKeyValueObservation: Sendable {}
