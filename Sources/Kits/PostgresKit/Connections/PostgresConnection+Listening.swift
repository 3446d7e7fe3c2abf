import CPostgres

extension PostgresConnection {
    /// Waits for a notification on a channel to which the connection listens; returns false if none arrives until the
    /// deadline.
    package func waitForNotification(until deadline: ContinuousClock.Instant) throws(PostgresError) -> Bool {
        while true {
            guard !isClosed, PQconsumeInput(handle) == 1 else {
                throw Self.failure(handle, isClosed: isClosed)
            }
            var isNotified = false
            while let notification = PQnotifies(handle) {
                PQfreemem(notification)
                isNotified = true
            }
            if isNotified { return true }
            guard SocketWait.wait(PQsocket(handle), Int16(POLLIN), until: deadline) else { return false }
        }
    }

    private static func failure(_ handle: OpaquePointer, isClosed: Bool) -> PostgresError {
        guard !isClosed else { return PostgresError(.closed, "the connection is closed", attempt: "listen") }
        return failure(handle, attempt: "listen")
    }
}
