import Synchronization

/// What one round trip of statements came to.
package struct PostgresExecution: Sendable {
    /// The texts of the statements, with placeholders for values.
    package let statements: [String]
    /// What the connection leads to, as its owner calls it.
    package let store: String
    package let server: PostgresServerAddress
    /// When they were sent and when they were answered, in nanoseconds of the monotonic clock.
    package let start: UInt64
    package let end: UInt64
    /// The rows that the server has sent.
    package let rows: Int
    /// The server's code of five characters, or the kind of another error; nil if no statement failed.
    package let failure: String?
}

/// Where a server answers.
package struct PostgresServerAddress: Hashable, Sendable {
    /// The name of the host as the connection was opened with it, or the folder of a socket.
    package var host = ""
    /// 0 for a socket.
    package var port = 0
}

/// Reports the round trips of all connections of the process, on the threads that wait for them.
///
/// A connection asks at each round trip whether there is a watch, which costs one load.
package enum PostgresWatch {
    /// Takes a round trip that has ended; nil, as at first, for none.
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
