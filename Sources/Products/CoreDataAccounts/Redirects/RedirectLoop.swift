import Foundation

/// Answers requests on a listening socket until the expected one comes. Of one thread.
struct RedirectLoop {
    private struct Client {
        let socket: Descriptor
        let end: ContinuousClock.Instant
        var received: [UInt8] = []
    }

    private static let (greatestClients, greatestHead, greatestRequests) = (8, 8_192, 1_000)
    private static let patience = Duration.seconds(5)

    private let listener: Descriptor
    private let rules: RedirectRules
    private let end: ContinuousClock.Instant

    init(_ listener: Descriptor, rules: RedirectRules, end: ContinuousClock.Instant) {
        (self.listener, self.rules, self.end) = (listener, rules, end)
    }

    /// Returns the query of the expected request.
    ///
    /// - Throws: ``AccountError``: `expired`, `noRedirect`; `CancellationError` once `isEnded` says so.
    func run(isEnded: () -> Bool) throws -> String {
        var clients: [Client] = []
        var requests = 0
        while !isEnded() {
            let now = ContinuousClock.now
            guard now < end else {
                throw AccountError(.expired, "the browser did not come back with an answer in time")
            }
            clients.removeAll { $0.end <= now }
            let ready = wait(for: clients, now)
            for index in clients.indices.reversed() where ready[index + 1] != 0 {
                guard let answer = receive(&clients[index]) else { continue }
                send(answer.response, to: clients[index].socket)
                clients.remove(at: index)
                if let query = answer.query { return query }
                requests += 1
                guard requests < Self.greatestRequests else {
                    throw AccountError(.noRedirect, "too many requests came that are not the provider's redirect")
                }
            }
            if ready[0] != 0 { accept(&clients) }
        }
        throw CancellationError()
    }

    /// Waits until something comes or one of the times is over: what came, first for the listener.
    private func wait(for clients: [Client], _ now: ContinuousClock.Instant) -> [Int16] {
        var watched = ([listener] + clients.map(\.socket)).map {
            pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0)
        }
        let first = clients.map(\.end).reduce(end, min)
        let milliseconds = min(60_000, max(1, ((first - now) / .milliseconds(1)).rounded(.up)))
        guard poll(&watched, nfds_t(watched.count), Int32(milliseconds)) > 0 else { return watched.map { _ in 0 } }
        return watched.map(\.revents)
    }

    private func accept(_ clients: inout [Client]) {
        guard let socket = Descriptor.opened(systemAccept(listener.number)) else {
            // Such as where the process has no descriptors left: there may be some soon.
            usleep(10_000)
            return
        }
        _ = fcntl(socket.number, F_SETFD, FD_CLOEXEC)
        _ = fcntl(socket.number, F_SETFL, O_NONBLOCK)
        // The oldest has waited longest for what its sender has not sent.
        if clients.count >= Self.greatestClients { clients.removeFirst() }
        clients.append(Client(socket: socket, end: .now + Self.patience))
    }

    /// Reads what has come; the answer, once the head of a request is complete, or nothing more will come.
    private func receive(_ client: inout Client) -> RedirectRules.Answer? {
        var part = [UInt8](repeating: 0, count: 4_096)
        let count = recv(client.socket.number, &part, part.count, 0)
        if count < 0, errno == EINTR || errno == EAGAIN { return nil }
        guard count > 0 else { return RedirectRules.refusal(400) }
        client.received += part[..<count]
        let head = String(decoding: client.received.prefix(Self.greatestHead), as: UTF8.self)
        if let blank = head.range(of: "\r\n\r\n") { return rules.answer(String(head[..<blank.lowerBound])) }
        return client.received.count >= Self.greatestHead ? RedirectRules.refusal(431) : nil
    }

    /// A page fits into the buffer of the socket; a browser that is gone does not see it.
    private func send(_ response: Data, to socket: Descriptor) {
        _ = response.withUnsafeBytes {
            systemSend(socket.number, $0.baseAddress, $0.count)
        }
        shutdown(socket.number, Int32(SHUT_WR))
    }
}

/// The system's calls, for a type that has methods of their names.
private func systemAccept(_ listener: Int32) -> Int32 { accept(listener, nil, nil) }

private func systemSend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    send(socket, bytes, count, Int32(MSG_NOSIGNAL))
}
