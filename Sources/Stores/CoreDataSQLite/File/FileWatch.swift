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
    /// Reports writes to a database file and its log, by whichever process.
    ///
    /// The system (inotify) reports each write to existing files, and the creation of files in the folder, as the log
    /// is created and removed. Writes in quick succession are reported once, and then again after growing pauses: a
    /// commit becomes visible only when the log has been synchronized, which happens after the last write and causes no
    /// event. The pauses add up to about a minute, which suffices for any disk.
    ///
    /// May be used from any thread; stops with `end`.
    final class FileWatch: @unchecked Sendable {
        /// The pauses before the reports of one series, in milliseconds.
        private static let pauses = [
            2, 4, 8, 16, 32, 64, 125, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000,
        ]
        /// The size of the buffer for events; events that do not fit are read in the next iteration.
        private static let bufferSize = 4096

        private let descriptor: Int32
        private let folder: String
        private let names: Set<String>
        private let written: @Sendable () -> Void
        private let queue = DispatchQueue(label: "CoreData.FileWatch")
        private let source: any DispatchSourceRead
        // Accessed on the queue only.
        private var isFirstPending = false
        /// The number of the current series of reports; earlier series stop.
        private var series = 0

        /// Returns nil if the system has no more inotify instances or watches, or the folder cannot be watched.
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

        /// Watches the files; watching a file again has no effect.
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
                        // If the queue overflowed, any event may have been lost.
                        let isLost = event.mask & UInt32(IN_Q_OVERFLOW) != 0
                        if event.mask & UInt32(IN_MODIFY) != 0 || isLost { isWritten = true }
                        if event.name.map(names.contains) ?? isLost { hasAppeared = true }
                    }
                }
            }
            if hasAppeared { watchFiles() }
            if isWritten || hasAppeared { notify() }
        }

        /// Returns the events in a buffer that the system has filled: each has a header, and the name of a file in the
        /// folder or none.
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
    /// On other systems writes are not reported.
    final class FileWatch: Sendable {
        init?(path: String, _ written: @escaping @Sendable () -> Void) { nil }
        func end() {}
    }
#endif
