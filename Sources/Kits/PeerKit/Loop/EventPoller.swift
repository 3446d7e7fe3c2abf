import LockKit

#if os(Linux) || os(Android)
    import CEpoll
#endif

/// What is waited for at a socket, and what is there.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let readable = Readiness(rawValue: 1)
    package static let writable = Readiness(rawValue: 2)
    /// The connection has failed or ended; reading or writing shows how.
    package static let hungUp = Readiness(rawValue: 4)
}

/// Waits for many sockets at once: by epoll on Linux, by `poll` elsewhere.
///
/// Sockets have numbers that are never used twice, so that what is reported late is of no other socket that has got the same
/// descriptor. May be changed from any thread while one waits.
final class EventPoller: Sendable {
    #if os(Linux) || os(Android)
        private let descriptor: Int32

        init() throws {
            descriptor = cepoll_create()
            guard descriptor >= 0 else { throw PeerFailure.system("sockets cannot be watched") }
        }

        deinit { close(descriptor) }

        func add(_ socket: Int32, as number: UInt64, _ interest: Readiness) -> Bool {
            cepoll_add(descriptor, socket, number, interest.rawValue) == 0
        }

        func modify(_ socket: Int32, as number: UInt64, _ interest: Readiness) {
            _ = cepoll_modify(descriptor, socket, number, interest.rawValue)
        }

        func remove(_ socket: Int32, as number: UInt64) { _ = cepoll_remove(descriptor, socket) }

        /// Waits for at most so many milliseconds, -1 for any time.
        func wait(milliseconds: Int32, _ body: (UInt64, Readiness) -> Void) {
            withUnsafeTemporaryAllocation(of: cepoll_event.self, capacity: 64) { events in
                guard let start = events.baseAddress else { return }
                let count = cepoll_wait(descriptor, start, milliseconds)
                guard count > 0 else { return }
                for event in events[..<Int(count)] { body(event.number, Readiness(rawValue: event.readiness)) }
            }
        }
    #else
        private struct Entry {
            let socket: Int32
            var interest: Readiness
        }

        private let entries = Locked<[UInt64: Entry]>([:])

        init() throws {}

        func add(_ socket: Int32, as number: UInt64, _ interest: Readiness) -> Bool {
            entries.withLock { $0[number] = Entry(socket: socket, interest: interest) }
            return true
        }

        func modify(_ socket: Int32, as number: UInt64, _ interest: Readiness) {
            entries.withLock { $0[number]?.interest = interest }
        }

        func remove(_ socket: Int32, as number: UInt64) { entries.withLock { $0[number] = nil } }

        /// As with epoll, but a change during the wait is seen only after 20 milliseconds.
        func wait(milliseconds: Int32, _ body: (UInt64, Readiness) -> Void) {
            let known = entries.withLock { Array($0) }
            var requests = known.map { entry in
                pollfd(
                    fd: entry.value.socket,
                    events: Int16(entry.value.interest.contains(.readable) ? POLLIN : 0)
                        | Int16(entry.value.interest.contains(.writable) ? POLLOUT : 0), revents: 0)
            }
            let limit = milliseconds < 0 ? 20 : min(20, milliseconds)
            guard poll(&requests, nfds_t(requests.count), limit) > 0 else { return }
            for (request, entry) in zip(requests, known) where request.revents != 0 {
                var readiness: Readiness = []
                if request.revents & Int16(POLLIN) != 0 { readiness.insert(.readable) }
                if request.revents & Int16(POLLOUT) != 0 { readiness.insert(.writable) }
                if request.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { readiness.insert(.hungUp) }
                body(entry.key, readiness)
            }
        }
    #endif
}
