import Foundation
import LockKit

/// The writing end of a connection, as a stream of Foundation. A subclass, since open-source Foundation makes none of
/// sockets.
///
/// | status | when |
/// |---|---|
/// | not open, opening, open | before `open`, while the connection is made, then |
/// | error | the connection was not made or failed; `streamError` says why |
/// | closed | after `close` |
final class SocketOutputStream: OutputStream {
    private struct State {
        var status = Stream.Status.notOpen
        var error: (any Error)?
        weak var delegate: (any StreamDelegate)?
    }
    private let connection: SocketConnection
    private let events = StreamEvents()
    private let state = Locked(State())

    init(_ connection: SocketConnection) {
        self.connection = connection
        super.init(toMemory: ())
    }

    /// Only there because Foundation requires it: a stream without a connection, which never opens.
    required init(toMemory: ()) {
        connection = SocketConnection { throw POSIXError(.ENOTCONN) }
        super.init(toMemory: toMemory)
    }

    deinit { close() }

    override var delegate: (any StreamDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }
    override var streamStatus: Stream.Status { state.withLock { $0.status } }
    override var streamError: (any Error)? { state.withLock { $0.error } }
    override func property(forKey key: PropertyKey) -> AnyObject? { nil }
    override func setProperty(_ property: AnyObject?, forKey key: PropertyKey) -> Bool { false }

    override func schedule(in loop: RunLoop, forMode mode: RunLoop.Mode) { events.schedule(in: loop, forMode: mode) }
    override func remove(from loop: RunLoop, forMode mode: RunLoop.Mode) { events.remove(from: loop, forMode: mode) }
    func deliverEvents(on queue: DispatchQueue) { events.schedule(on: queue) }

    override func open() {
        let begins = state.withLock { state in
            guard state.status == .notOpen else { return false }
            state.status = .opening
            return true
        }
        guard begins else { return }
        let stream = WeakReference(self)
        connection.open { stream.object?.opened() }
    }

    private func opened() {
        do {
            let descriptor = try connection.descriptor()
            markOpen()
            let stream = WeakReference(self)
            events.watch(descriptor, of: connection, writing: true) { stream.object?.report(.hasSpaceAvailable) }
        } catch {
            fail(error)
        }
    }

    /// Writes as much as fits, after a wait if nothing does; returns how many bytes that were, or -1 after an error. An
    /// error is reported once.
    override func write(_ buffer: UnsafePointer<UInt8>, maxLength length: Int) -> Int {
        guard [.opening, .open].contains(streamStatus) else { return -1 }
        guard length > 0 else { return 0 }
        do {
            let descriptor = try connection.descriptor()
            markOpen()
            var count = send(descriptor, buffer, length, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            while count < 0, errno == EINTR || errno == EAGAIN {
                if errno == EAGAIN {
                    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&request, 1, -1)
                }
                guard streamStatus == .open else { return -1 }
                count = send(descriptor, buffer, length, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            }
            guard count >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            events.rearm()
            return count
        } catch {
            fail(error)
            return -1
        }
    }

    override var hasSpaceAvailable: Bool {
        guard streamStatus == .open, let descriptor = try? connection.descriptor() else { return false }
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&request, 1, 0) > 0
    }

    override func close() {
        let isFirst = state.withLock { state in
            defer { state.status = .closed }
            return state.status != .closed
        }
        guard isFirst else { return }
        events.end()
        connection.shut(Int32(SHUT_WR))
    }

    // MARK: States

    /// The connection is made, whether the news of it or a use of the stream comes first.
    private func markOpen() {
        if change(from: [.opening], to: .open) { report(.openCompleted) }
    }

    private func change(from old: [Stream.Status], to new: Stream.Status) -> Bool {
        state.withLock { state in
            guard old.contains(state.status) else { return false }
            state.status = new
            return true
        }
    }

    private func fail(_ error: any Error) {
        let isFirst = state.withLock { state in
            guard state.status != .error, state.status != .closed else { return false }
            (state.status, state.error) = (.error, error)
            return true
        }
        if isFirst { report(.errorOccurred) }
    }

    private func report(_ event: Stream.Event) {
        let stream = WeakReference(self)
        events.report {
            guard let stream = stream.object else { return }
            stream.delegate?.stream(stream, handle: event)
        }
    }
}
