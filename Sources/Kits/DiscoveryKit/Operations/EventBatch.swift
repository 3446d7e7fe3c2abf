import Dispatch

/// Collects events that come close to each other, so that each can say whether more follow at once.
///
/// Invariants:
/// 1. It is touched on the module's queue alone.
final class EventBatch<Event: Sendable>: @unchecked Sendable {
    /// Long enough for the answers that a daemon has at hand, and too short for people to notice.
    private static var rest: DispatchTimeInterval { .milliseconds(5) }

    private var events: [Event] = []
    private let deliver: (Event, _ moreComing: Bool) -> Void

    init(_ deliver: @escaping (Event, _ moreComing: Bool) -> Void) { self.deliver = deliver }

    func add(_ event: Event) {
        events.append(event)
        guard events.count == 1 else { return }
        DiscoveryQueue.queue.asyncAfter(deadline: .now() + Self.rest) { [self] in
            let all = events
            events = []
            for (index, event) in all.enumerated() { deliver(event, index + 1 < all.count) }
        }
    }
}
