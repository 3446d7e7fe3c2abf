/// The proxy as its connections see it.
protocol FaultSource: AnyObject {
    /// Whether the proxy has ended.
    var isStopped: Bool { get }

    /// A number that increases to end all connections that started before.
    var connections: Int { get }

    /// The text of a request after which the connection's commit gets a fault; nil if none is armed.
    var awaitedText: String? { get }

    /// Counts a round trip and returns the fault to inject into it; nil for none.
    ///
    /// - Parameter isAwaited: whether it is the commit of a connection that has sent `awaitedText`.
    func beginTrip(isAwaited: Bool) -> WireFault?
}
