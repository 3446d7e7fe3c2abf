import Dispatch

/// Passes what a callback of the library says on to the queue of the module. A callback's context is one of these.
///
/// Invariants:
/// 1. `handler` is touched on the queue alone. It is set to nil when the object is freed that calls back, so that what the
///    library said before is no longer heard.
final class CallbackReceiver<Event: Sendable>: @unchecked Sendable {
    var handler: ((Event) -> Void)?

    static func receive(_ event: Event, _ context: UnsafeMutableRawPointer?) {
        guard let context else { return }
        let receiver = Unmanaged<CallbackReceiver<Event>>.fromOpaque(context).takeUnretainedValue()
        DiscoveryQueue.queue.async { receiver.handler?(event) }
    }
}
