/// The limits of a server's connections.
package struct ServerLimits: Sendable {
    /// The greatest number of open connections; above nine tenths of it, new connections close idle ones.
    package var connections = 1_000
    /// The greatest number of open connections from one address; above it, a new connection closes an idle one of the
    /// address, or else itself.
    package var connectionsPerAddress = 750
    /// Seconds after which a connection is closed that waits for its client without progress, or has not sent a
    /// complete request.
    package var idleSeconds = 60
    /// Seconds without any bytes of a request's body, for which a page waits, after which the connection is closed.
    package var bodySeconds = 10.0
    /// Bytes of memory for a connection; header fields may take about half of them.
    package var connectionBytes = 128 << 10

    package init() {}
}
