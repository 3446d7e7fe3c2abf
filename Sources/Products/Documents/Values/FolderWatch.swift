import CoreDataFoundation
import Dispatch

/// Reports that something in folders, or files, was written, created, moved or removed: once for what happens together.
///
/// By inotify on Linux; elsewhere, and where the system has no more watches, by a look from time to time.
final class FolderWatch: @unchecked Sendable {
    private static let (rest, interval) = (DispatchTimeInterval.milliseconds(20), DispatchTimeInterval.seconds(1))
    private static let maximumWatches = 4_096

    private let queue = DispatchQueue(label: "Documents.FolderWatch")
    private let changed: @Sendable () -> Void
    private let source: any DispatchSourceProtocol
    private let descriptor: Int32
    // On the queue only.
    private var isPending = false

    init(_ paths: [String], changed: @escaping @Sendable () -> Void) {
        self.changed = changed
        #if os(Linux) || os(Android)
            descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        #else
            descriptor = -1
        #endif
        if descriptor >= 0 {
            let reading = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source = reading
            reading.setCancelHandler { [descriptor] in close(descriptor) }
        } else {
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
            source = timer
        }
        source.setEventHandler { [weak self] in self?.happened() }
        source.resume()
        watch(paths)
    }

    deinit { source.cancel() }

    /// Watches more places; those that are watched already are left as they are.
    func watch(_ paths: [String]) {
        #if os(Linux) || os(Android)
            guard descriptor >= 0 else { return }
            let events = UInt32(
                IN_CREATE | IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF
                    | IN_MOVE_SELF)
            for path in paths.prefix(Self.maximumWatches) { inotify_add_watch(descriptor, path, events) }
        #endif
    }

    func end() { source.cancel() }

    private func happened() {
        if descriptor >= 0 {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while read(descriptor, &buffer, buffer.count) > 0 {}
        }
        guard !isPending else { return }
        isPending = true
        queue.asyncAfter(deadline: .now() + Self.rest) { [weak self] in
            self?.isPending = false
            self?.changed()
        }
    }
}
