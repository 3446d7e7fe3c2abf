/// What one client may ask of the server.
package struct ServerLimits: Sendable {
    /// Connections at one time; when nearly all are there, those on which nothing is asked give way.
    package var connections = 1_000
    /// Connections at one time from one address; those on which nothing is asked give way to new ones, which are else
    /// refused.
    package var connectionsPerAddress = 750
    /// Seconds without progress on a connection that waits for its client, or without a complete request from it.
    package var idleSeconds = 60
    /// Seconds in which nothing comes of a request's body that a page waits for.
    package var bodySeconds = 10.0
    /// Memory of a connection, of which the header fields may take about half.
    package var connectionBytes = 128 << 10

    package init() {}
}
