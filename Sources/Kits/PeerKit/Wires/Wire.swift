/// What came of reading from a wire or writing to it.
package enum WireStep: Sendable {
    case bytes(Int)
    /// Nothing can be moved now; the wire's handler is called when that changes.
    case blocked
    /// The other side has closed the wire.
    case ended
    case failed(String)
}

/// What a wire reports to its handler, on the loop's thread.
package enum WireEvent: Sendable {
    /// The wire is open, and the keys of both sides are known.
    case opened
    case ready(Readiness)
    /// The wire did not open.
    case failed(PeerFailure)
}

/// A way for bytes between two peers, in order and without gaps, that may break at any time.
///
/// May be used from any thread. A wire that is closed calls its handler no more.
package protocol Wire: AnyObject, Sendable {
    /// The key of the other side, proved; nil before the wire is open, and where it is not encrypted.
    var peerKey: PeerKey? { get }
    /// The certificate of the other side in DER.
    var peerCertificate: [UInt8]? { get }
    /// The host of the other side, as text.
    var remoteHost: String { get }

    /// Opens the wire.
    func start(_ handler: @escaping @Sendable (WireEvent) -> Void)
    /// Replaces the handler, when what the wire is used for changes.
    func setHandler(_ handler: @escaping @Sendable (WireEvent) -> Void)
    /// Whether bytes have been read from the system that `read` has not handed out: these wake no loop.
    var hasBufferedBytes: Bool { get }
    func read(into buffer: UnsafeMutableRawBufferPointer) -> WireStep
    func write(_ bytes: UnsafeRawBufferPointer) -> WireStep
    /// Sets what the handler is called for.
    func setInterest(_ interest: Readiness)
    func close()
}

/// A place where wires arrive.
package protocol WireListener: Sendable {
    var port: UInt16 { get }
    func close()
}

/// What makes wires: sockets, or a network in memory for tests.
package protocol PeerNetwork: Sendable {
    /// The hosts by which others reach this one; nil if the system knows them.
    var hosts: [String]? { get }

    /// Listens on a port, 0 for any; hands out wires that are not yet open.
    ///
    /// - Throws: `PeerFailure` with `system` if the port is taken.
    func listen(
        on port: UInt16, loop: EventLoop, settings: @escaping @Sendable () -> WireSettings,
        accept: @escaping @Sendable (any Wire) -> Void
    ) throws -> any WireListener

    /// A wire to an address, which begins to open when it is started.
    func wire(host: String, port: UInt16, loop: EventLoop, settings: WireSettings) -> any Wire
}
