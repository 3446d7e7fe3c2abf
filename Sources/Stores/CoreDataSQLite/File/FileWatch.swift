import CoreDataSQL
import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

#if canImport(Glibc) || canImport(Musl) || canImport(Android)
    /// Reports writes to a database file and its log, whichever process makes them.
    ///
    /// The system (inotify) reports each write to existing files, and files that appear in the folder: the
    /// log appears and disappears. Writes in quick succession are reported once, and again after growing pauses: a commit counts
    /// only when the log has reached the disk, which takes its time after the last write and is not an event of its own. A
    /// minute is more than any disk that works needs.
    ///
    /// May be used from any thread; ends with `end`.
    final class FileWatch: @unchecked Sendable {
        /// When writes are reported, in milliseconds, each after the one before.
        private static let pauses = [
            2, 4, 8, 16, 32, 64, 125, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000,
        ]
        /// The size of the buffer that events are read into; more of them are read at the next turn.
        private static let bufferSize = 4096

        private let descriptor: Int32
        private let folder: String
        private let names: Set<String>
        private let written: @Sendable () -> Void
        private let queue = DispatchQueue(label: "CoreData.FileWatch")
        private let source: any DispatchSourceRead
        // Used on the queue alone.
        private var isFirstPending = false
        /// How often writes were reported again; older series of reports end.
        private var series = 0

        /// Nil if the system has no watches left, or the folder cannot be watched.
        init?(path: String, _ written: @escaping @Sendable () -> Void) {
            let url = URL(fileURLWithPath: path)
            descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
            guard descriptor >= 0 else { return nil }
            folder = url.deletingLastPathComponent().path
            names = [url.lastPathComponent, url.lastPathComponent + "-wal"]
            self.written = written
            let appearing = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_ONLYDIR)
            guard inotify_add_watch(descriptor, folder, appearing) >= 0 else {
                close(descriptor)
                return nil
            }
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            watchFiles()
            let descriptor = descriptor
            source.setCancelHandler { close(descriptor) }
            source.setEventHandler { [weak self] in self?.readEvents() }
            source.resume()
        }

        func end() { source.cancel() }

        deinit { source.cancel() }

        /// A file that is already watched stays watched.
        private func watchFiles() {
            for name in names {
                _ = inotify_add_watch(descriptor, folder + "/" + name, UInt32(IN_MODIFY))
            }
        }

        private func readEvents() {
            var hasAppeared = false
            var isWritten = false
            withUnsafeTemporaryAllocation(byteCount: Self.bufferSize, alignment: 16) { buffer in
                while let base = buffer.baseAddress {
                    let count = read(descriptor, base, buffer.count)
                    guard count > 0 else { return }
                    for event in Self.events(UnsafeRawBufferPointer(rebasing: buffer[0..<count])) {
                        // Events that were lost may have been any.
                        let isLost = event.mask & UInt32(IN_Q_OVERFLOW) != 0
                        if event.mask & UInt32(IN_MODIFY) != 0 || isLost { isWritten = true }
                        if event.name.map(names.contains) ?? isLost { hasAppeared = true }
                    }
                }
            }
            if hasAppeared { watchFiles() }
            if isWritten || hasAppeared { notify() }
        }

        /// The events in a buffer that the system has filled: a fixed part, and the name of a file in the folder or none.
        private static func events(_ buffer: UnsafeRawBufferPointer) -> [(mask: UInt32, name: String?)] {
            var events: [(UInt32, String?)] = []
            var offset = 0
            let header = MemoryLayout<inotify_event>.size
            while offset + header <= buffer.count {
                let mask = buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                let length = Int(buffer.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                let end = min(buffer.count, offset + header + length)
                let name = buffer[(offset + header)..<end].prefix { $0 != 0 }
                events.append((mask, name.isEmpty ? nil : String(decoding: name, as: UTF8.self)))
                offset = end
            }
            return events
        }

        private func notify() {
            guard !isFirstPending else { return }
            isFirstPending = true
            series += 1
            report(0, in: series)
        }

        private func report(_ number: Int, in series: Int) {
            guard number < Self.pauses.count else { return }
            queue.asyncAfter(deadline: .now() + .milliseconds(Self.pauses[number])) { [weak self] in
                guard let self, series == self.series else { return }
                if number == 0 { isFirstPending = false }
                written()
                report(number + 1, in: series)
            }
        }
    }
#else
    /// Elsewhere writes are not reported.
    final class FileWatch: Sendable {
        init?(path: String, _ written: @escaping @Sendable () -> Void) { nil }
        func end() {}
    }
#endif
