import CoreDataModeling
import Dispatch
import Synchronization

/// Says when files of a folder change, by inotify where the system has it.
final class FolderWatcher: Sendable {
    private let source = Mutex<(any DispatchSourceRead)?>(nil)

    deinit { source.withLock { $0?.cancel() } }

    /// Watches a folder, in the place of the former one; nil ends the watching.
    func watch(_ folder: String, _ changed: (@Sendable () -> Void)?) {
        source.withLock { current in
            current?.cancel()
            current = nil
            #if os(Linux) || os(Android)
                guard let changed else { return }
                let queue = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
                guard queue >= 0 else { return }
                let events = UInt32(IN_MOVED_TO | IN_CLOSE_WRITE | IN_CREATE)
                guard inotify_add_watch(queue, folder, events) >= 0 else {
                    close(queue)
                    return
                }
                let made = DispatchSource.makeReadSource(fileDescriptor: queue, queue: .global())
                made.setEventHandler {
                    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
                    while read(queue, &buffer, buffer.count) > 0 {}
                    changed()
                }
                made.setCancelHandler { close(queue) }
                made.activate()
                current = made
            #endif
        }
    }
}
