import CPostgres

extension PostgresConnection {
    /// Waits until the server sends a notification on a channel that is listened to; false if none comes before the deadline.
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
