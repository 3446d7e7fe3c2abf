import CAvahi

/// An object of the library that calls back, with what receives that. It must be freed, once.
struct DaemonObject<Event: Sendable> {
    let pointer: OpaquePointer
    private let receiver: Unmanaged<CallbackReceiver<Event>>
    private let thread: PollThread
    private let release: (OpaquePointer) -> Void

    /// - Parameters:
    ///   - make: Makes the object for a context of callbacks.
    ///   - free: Frees it.
    ///   - handler: Is called on the module's queue until the object is freed.
    /// - Throws: The daemon's error.
    init(
        _ connection: DaemonConnection, _ attempt: String, make: (UnsafeMutableRawPointer) -> OpaquePointer?,
        free: @escaping (OpaquePointer) -> Void, handler: @escaping (Event) -> Void
    ) throws(DiscoveryError) {
        thread = connection.thread
        let receiver = CallbackReceiver<Event>()
        receiver.handler = handler
        self.receiver = Unmanaged.passRetained(receiver)
        let context = self.receiver.toOpaque()
        guard let made = thread.locked({ make(context) }) else {
            receiver.handler = nil
            self.receiver.release()
            throw DaemonFailure.error(connection.lastError, attempt)
        }
        (pointer, release) = (made, free)
    }

    func free() {
        receiver.takeUnretainedValue().handler = nil
        thread.locked { release(pointer) }
        receiver.release()
    }
}
