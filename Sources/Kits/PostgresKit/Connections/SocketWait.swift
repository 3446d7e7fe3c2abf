import CPostgres

/// Waits for a socket.
enum SocketWait {
    /// Waits until a socket is readable or writable; returns false if the deadline passes before.
    static func wait(_ socket: Int32, _ events: Int16, until deadline: ContinuousClock.Instant?) -> Bool {
        guard socket >= 0 else { return true }
        var place = pollfd(fd: socket, events: events, revents: 0)
        while true {
            let left = deadline.map { milliseconds(until: $0) } ?? -1
            let count = poll(&place, 1, left)
            if count > 0 { return true }
            if count < 0, errno != EINTR { return true }
            if let deadline, count == 0, ContinuousClock.now >= deadline { return false }
        }
    }

    private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int32 {
        let left = deadline - ContinuousClock.now
        guard left > .zero else { return 0 }
        let (seconds, rest) = left.components
        return Int32(
            clamping: seconds.multipliedReportingOverflow(by: 1_000).partialValue &+ rest / 1_000_000_000_000_000 + 1)
    }
}
