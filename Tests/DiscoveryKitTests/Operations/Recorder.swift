import Foundation

/// What an operation reported, in order.
final class Recorder<Event: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var reported: [Event] = []

    var events: [Event] { lock.withLock { reported } }

    func add(_ event: Event) { lock.withLock { reported.append(event) } }
}
