import Dispatch
import Foundation

/// Notifies a stream's delegate when its socket is ready: once, and again after the stream was used.
///
/// Invariants:
/// 1. `source` is resumed exactly while `isArmed`; a source must not be released while it is suspended.
/// 2. `isOver` once the stream was closed; nothing is reported afterwards.
final class StreamEvents: @unchecked Sendable {
    private let scheduler = CallbackScheduler()
    private let lock = NSLock()
    private var source: (any DispatchSourceProtocol)?
    private var isArmed = false
    private var isOver = false

    private static let queue = DispatchQueue(label: "NetServices.StreamEvents")

    func schedule(in loop: RunLoop, forMode mode: RunLoop.Mode) { scheduler.schedule(in: loop, forMode: mode) }
    func remove(from loop: RunLoop, forMode mode: RunLoop.Mode) { scheduler.remove(from: loop, forMode: mode) }
    func schedule(on queue: DispatchQueue) { scheduler.schedule(on: queue) }

    deinit { end() }

    /// Reports an event, unless the stream was closed before.
    func report(_ call: @escaping @Sendable () -> Void) {
        scheduler.perform { [weak self] in
            guard let self, !lock.withLock({ isOver }) else { return }
            call()
        }
    }

    /// Begins to watch a descriptor of a connection; `ready` is called when it is ready, on another thread.
    func watch(
        _ descriptor: Int32, of connection: SocketConnection, writing: Bool, ready: @escaping @Sendable () -> Void
    ) {
        let made: any DispatchSourceProtocol =
            writing
            ? DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: Self.queue)
            : DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue)
        made.setEventHandler { [weak self] in
            guard let self, disarm() else { return }
            ready()
        }
        // Holds the connection, and so the descriptor, for as long as the system watches it.
        made.setCancelHandler { withExtendedLifetime(connection) {} }
        lock.withLock {
            if source == nil, !isOver { (source, isArmed) = (made, true) } else { made.cancel() }
            // A source must not be released before it was resumed once.
            made.resume()
        }
    }

    /// The stream was used: its delegate is notified again when it is ready.
    func rearm() {
        lock.withLock {
            guard let source, !isArmed, !isOver else { return }
            isArmed = true
            source.resume()
        }
    }

    private func disarm() -> Bool {
        lock.withLock {
            guard let source, isArmed, !isOver else { return false }
            isArmed = false
            source.suspend()
            return true
        }
    }

    func end() {
        lock.withLock {
            isOver = true
            source?.cancel()
            if !isArmed { source?.resume() }
            (source, isArmed) = (nil, false)
        }
    }
}
