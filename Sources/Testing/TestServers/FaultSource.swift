/// What the connections through a `FaultProxy` ask it.
protocol FaultSource: AnyObject {
    /// Whether the proxy has ended.
    var isStopped: Bool { get }

    /// Rises when all connections are to end that began before.
    var connections: Int { get }

    /// The text after which a connection's commit is to be broken.
    var awaitedText: String? { get }

    /// Counts a round trip and answers what to do to it.
    ///
    /// - Parameter isAwaited: whether it is the commit of a connection that has sent `awaitedText`.
    func beginTrip(isAwaited: Bool) -> WireFault?
}
