import Foundation

/// Calls the delegate of a stream on the run loops that the stream is scheduled in.
///
/// Foundation's own scheduling belongs to Core Foundation's streams, which cannot be made for other bytes here.
final class StreamScheduling: @unchecked Sendable {
    private struct Place {
        let runLoop: RunLoop
        let mode: RunLoop.Mode
    }

    private let lock = NSLock()
    /// Guarded by the lock.
    private var places: [Place] = []
    /// Set once, before the stream is handed out.
    private weak var stream: Stream?

    func attach(_ stream: Stream) { self.stream = stream }

    func add(_ runLoop: RunLoop, _ mode: RunLoop.Mode) {
        lock.lock()
        defer { lock.unlock() }
        places.append(Place(runLoop: runLoop, mode: mode))
    }

    func remove(_ runLoop: RunLoop, _ mode: RunLoop.Mode) {
        lock.lock()
        defer { lock.unlock() }
        places.removeAll { $0.runLoop === runLoop && $0.mode == mode }
    }

    /// Reports an event on the first run loop of the stream; from any thread.
    func report(_ event: Stream.Event) {
        lock.lock()
        let place = places.first
        lock.unlock()
        guard let place else { return }
        // A timer wakes a run loop that waits, which a block does not.
        let timer = Timer(timeInterval: 0, repeats: false) { _ in
            guard let stream = self.stream else { return }
            stream.delegate?.stream(stream, handle: event)
        }
        place.runLoop.add(timer, forMode: place.mode)
    }
}
