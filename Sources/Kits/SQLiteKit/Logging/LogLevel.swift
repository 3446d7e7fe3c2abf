import Synchronization

/// The level of detail of a statement log; each level includes those below it.
package enum LogLevel: Int, Comparable, Sendable {
    /// The text of each statement, how long it took and how many rows it gave or changed.
    case statements = 1
    /// The kinds of the bound values, and what SQLite counted.
    case details
    /// The bound values themselves.
    case values
    /// How SQLite carries out each query.
    case plans

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The level of a log, and the closure that takes its lines.
package struct LogSettings: Sendable {
    package let level: LogLevel
    /// Takes one line, without its end, on the thread that uses the connection.
    package let sink: @Sendable (String) -> Void

    package init(level: LogLevel, sink: @escaping @Sendable (String) -> Void) {
        self.level = level
        self.sink = sink
    }

    /// The log of connections that are opened from here on; nil for none.
    package static var ofNewConnections: LogSettings? {
        get { standard.withLock { $0 } }
        set { standard.withLock { $0 = newValue } }
    }

    private static let standard = Mutex<LogSettings?>(nil)
}
