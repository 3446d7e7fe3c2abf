import Synchronization

/// The level of detail of a statement log; each level includes those below it.
package enum LogLevel: Int, Comparable, Sendable {
    /// The text of each statement, its duration, and the number of rows that it returned or changed.
    case statements = 1
    /// The types of the bound values, and SQLite's counters.
    case details
    /// The bound values themselves.
    case values
    /// The plan of each query.
    case plans

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The level of a log, and the closure that receives its lines.
package struct LogSettings: Sendable {
    package let level: LogLevel
    /// Receives one line, without a line break, on the thread that uses the connection.
    package let sink: @Sendable (String) -> Void

    package init(level: LogLevel, sink: @escaping @Sendable (String) -> Void) {
        self.level = level
        self.sink = sink
    }

    /// The log settings of connections that are opened from now on; nil for no log.
    package static var ofNewConnections: LogSettings? {
        get { standard.withLock { $0 } }
        set { standard.withLock { $0 = newValue } }
    }

    private static let standard = Mutex<LogSettings?>(nil)
}
