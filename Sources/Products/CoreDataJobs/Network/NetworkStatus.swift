/// What says whether a network can be reached: ``Reachability``, or what a test makes of it.
public protocol NetworkStatus: Sendable {
    /// Whether there is a way to other machines.
    var isReachable: Bool { get }

    /// Calls a block with each change from now on, on any thread, until the observation is cancelled.
    func observe(_ handler: @escaping @Sendable (Bool) -> Void) -> Observation
}
