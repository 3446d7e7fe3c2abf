import Synchronization

/// A finished round trip of one or more statements.
package struct PostgresExecution: Sendable {
    /// The texts of the statements, with placeholders for values.
    package let statements: [String]
    /// The connection's `watchedName`.
    package let store: String
    package let server: PostgresServerAddress
    /// When they were sent and when the answer arrived, in nanoseconds of the monotonic clock.
    package let start: UInt64
    package let end: UInt64
    /// The number of rows that the server has sent.
    package let rows: Int
    /// The SQLSTATE, or the kind of an error without one; nil if no statement failed.
    package let failure: String?
}

/// The address of a server.
package struct PostgresServerAddress: Hashable, Sendable {
    /// The host name with which the connection was opened, or the folder of a Unix domain socket.
    package var host = ""
    /// The port; 0 for a Unix domain socket.
    package var port = 0
}

/// Reports the round trips of all connections of the process, on the threads that perform them.
///
/// A connection checks at each round trip whether there is a watch, which costs one load.
package enum PostgresWatch {
    /// Receives each finished round trip; nil, the initial value, for no reports.
    package static var current: (@Sendable (PostgresExecution) -> Void)? {
        get { state.withLock { $0 } }
        set {
            state.withLock { state in
                state = newValue
                isSet.store(newValue != nil, ordering: .relaxed)
            }
        }
    }

    static var isOn: Bool { isSet.load(ordering: .relaxed) }

    static func report(_ execution: PostgresExecution) { current?(execution) }

    private static let state = Mutex<(@Sendable (PostgresExecution) -> Void)?>(nil)
    private static let isSet = Atomic(false)
}
