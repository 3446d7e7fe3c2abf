/// What one client may ask of the server.
package struct ServerLimits: Sendable {
    /// Connections at one time.
    package var connections = 1_000
    /// Seconds in which nothing moves on a connection that waits for its client.
    package var idleSeconds = 60
    /// Memory of a connection, of which the header fields may take about half.
    package var connectionBytes = 128 << 10

    package init() {}
}
