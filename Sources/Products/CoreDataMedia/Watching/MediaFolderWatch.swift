import Foundation
import LockKit

/// Scans a folder again whenever something in it changes, until it is released or ended.
///
/// By inotify on Linux, with a watch for each folder. Where the system has no more watches, and elsewhere, the folder is scanned from time to
/// time, and ``isPolling`` says so. What happens within half a second is one scan.
public final class MediaFolderWatch: @unchecked Sendable {
    private static let rest = DispatchTimeInterval.milliseconds(500)
    private static let interval = DispatchTimeInterval.seconds(60)
    /// How many scans follow each other while new folders appear, before others have their turn.
    private static let rounds = 8

    private let library: MPMediaLibrary
    private let folder: URL
    private let report: @Sendable (Result<MediaScanReport, any Error>) -> Void
    private let queue = DispatchQueue(label: "CoreDataMedia.MediaFolderWatch")
    private let descriptor: Int32
    private let timer: any DispatchSourceTimer
    private var reading: (any DispatchSourceRead)?
    private let progress = Progress(totalUnitCount: 0)
    private let polling = Locked(false)
    // On the queue only.
    private var isPending = false

    init(
        _ library: MPMediaLibrary, _ folder: URL,
        report: @escaping @Sendable (Result<MediaScanReport, any Error>) -> Void
    ) {
        (self.library, self.folder, self.report) = (library, folder, report)
        #if os(Linux) || os(Android)
            descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        #else
            descriptor = -1
        #endif
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
        timer.setEventHandler { [weak self] in if self?.isPolling ?? false { self?.scan() } }
        timer.resume()
        if descriptor >= 0 {
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setCancelHandler { [descriptor] in close(descriptor) }
            source.setEventHandler { [weak self] in self?.happened() }
            source.resume()
            reading = source
        } else {
            polling.withLock { $0 = true }
        }
        queue.async { [weak self] in self?.scan() }
    }

    deinit { end() }

    /// Whether the folder is scanned from time to time, since the system does not report changes.
    public var isPolling: Bool { polling.withLock { $0 } }

    /// Ends watching, and a scan that is going on.
    public func end() {
        progress.cancel()
        timer.cancel()
        reading?.cancel()
    }

    private func happened() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while read(descriptor, &buffer, buffer.count) > 0 {}
        guard !isPending else { return }
        isPending = true
        queue.asyncAfter(deadline: .now() + Self.rest) { [weak self] in
            self?.isPending = false
            self?.scan()
        }
    }

    private func scan() {
        guard !progress.isCancelled else { return }
        do {
            // What happens in a new folder before it is watched is found by another scan.
            for round in 0..<Self.rounds {
                let found = try library.scanWithFolders(folder, progress: Progress(parent: progress))
                let isNew = watch(found.folders)
                if round == 0 || found.report.hasChanges { report(.success(found.report)) }
                guard isNew else { return }
            }
            happened()
        } catch is CancellationError { return } catch { report(.failure(error)) }
    }

    private var watched: Set<BytePath> = []

    /// Watches folders; true if some were not watched before.
    private func watch(_ folders: [BytePath]) -> Bool {
        #if os(Linux) || os(Android)
            guard descriptor >= 0 else { return false }
            let events = UInt32(
                IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF
                    | IN_ATTRIB | IN_ONLYDIR)
            let fresh = folders.filter { !watched.contains($0) }
            // Adding a watch again that is there changes nothing, and finds folders that were replaced.
            for folder in folders {
                guard folder.withCString({ inotify_add_watch(descriptor, $0, events) }) >= 0 else {
                    if errno == ENOSPC || errno == ENOMEM { polling.withLock { $0 = true } }
                    continue
                }
            }
            watched = Set(folders)
            return !fresh.isEmpty
        #else
            return false
        #endif
    }
}

extension Progress {
    /// A progress that is cancelled with another.
    fileprivate convenience init(parent: Progress) {
        self.init(totalUnitCount: 0)
        parent.cancellationHandler = { [weak self] in self?.cancel() }
        if parent.isCancelled { cancel() }
    }
}

extension MPMediaLibrary {
    /// Scans a folder now, and again whenever something in it changes.
    ///
    /// - Parameters:
    ///   - folder: A folder of the user's files.
    ///   - report: Called on a queue of the watch after each scan that was the first or has changed something, and with each error.
    /// - Returns: The watch, which ends when it is released.
    public func watch(
        _ folder: URL, report: @escaping @Sendable (Result<MediaScanReport, any Error>) -> Void
    ) -> MediaFolderWatch {
        MediaFolderWatch(self, folder, report: report)
    }
}
