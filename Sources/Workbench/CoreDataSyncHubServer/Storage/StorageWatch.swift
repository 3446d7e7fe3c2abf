import Dispatch
import Foundation
import Synchronization

/// Learns which files of a hub's folder were written or removed by others than the hub: peers that use a group's folder
/// itself, a program that syncs files, or an administrator.
///
/// By inotify on Linux, with a watch for the folder and one for each group; elsewhere a hub sees such files when it
/// starts. Other threads may call everything.
final class StorageWatch: Sendable {
    /// What happened in the hub's folder.
    enum Event: Sendable, Equatable {
        /// A group's folder appeared, or events of it may have been lost: anything may be different in it.
        case group(String)
        /// A file of a group was written or removed.
        case file(group: String, name: String)
    }

    private let folder: String
    private let descriptor: Int32
    /// The groups by the numbers of their watches; the empty name stands for the folder of all.
    private let groups = Mutex<[Int32: String]>([:])
    private let source = Mutex<(any DispatchSourceRead)?>(nil)

    /// Watches a folder of groups, which is there.
    init(_ folder: String) {
        self.folder = folder
        #if os(Linux) || os(Android)
            descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        #else
            descriptor = -1
        #endif
        watch("")
    }

    deinit {
        let isOpen = source.withLock { source in
            source?.cancel()
            return source == nil && descriptor >= 0
        }
        if isOpen { close(descriptor) }
    }

    /// Calls a block, on a queue, when there are events to take.
    func begin(_ happened: @escaping @Sendable () -> Void) {
        guard descriptor >= 0 else { return }
        source.withLock { source in
            let made = DispatchSource.makeReadSource(
                fileDescriptor: descriptor, queue: DispatchQueue(label: "CoreDataSyncHubServer.StorageWatch"))
            made.setEventHandler(handler: happened)
            made.setCancelHandler { [descriptor] in close(descriptor) }
            made.activate()
            source = made
        }
    }

    /// Watches a group from now on. Its files are to be read afterwards; nothing is changed where it is watched already.
    func watch(_ group: String) {
        #if os(Linux) || os(Android)
            guard descriptor >= 0 else { return }
            let events = UInt32(IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR)
            groups.withLock { groups in
                let number = inotify_add_watch(descriptor, group.isEmpty ? folder : "\(folder)/\(group)", events)
                if number >= 0 { groups[number] = group }
            }
        #endif
    }

    /// What happened since the last call; what is done on disk before the call is among it.
    func events() -> [Event] {
        #if os(Linux) || os(Android)
            guard descriptor >= 0 else { return [] }
            return groups.withLock { groups in
                var events: [Event] = []
                withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
                    while let base = buffer.baseAddress {
                        let count = read(descriptor, base, buffer.count)
                        guard count > 0 else { return }
                        add(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: &events, &groups)
                    }
                }
                return events
            }
        #else
            return []
        #endif
    }

    #if os(Linux) || os(Android)
        /// Adds the events in bytes that the system gave: each has a header, and the name of a file or none (`inotify(7)`).
        private func add(_ bytes: UnsafeRawBufferPointer, to events: inout [Event], _ groups: inout [Int32: String]) {
            var offset = 0
            let header = MemoryLayout<inotify_event>.size
            while offset + header <= bytes.count {
                let number = bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)
                let mask = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                let length = Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                let end = min(bytes.count, offset + header + length)
                let name = String(decoding: bytes[(offset + header)..<end].prefix { $0 != 0 }, as: UTF8.self)
                offset = end
                if mask & UInt32(IN_Q_OVERFLOW) != 0 {
                    events += groups.values.filter { !$0.isEmpty }.map { .group($0) }
                } else if mask & UInt32(IN_IGNORED) != 0 {
                    // The folder of a group is gone.
                    if let group = groups.removeValue(forKey: number), !group.isEmpty { events.append(.group(group)) }
                } else if let group = groups[number] {
                    events.append(group.isEmpty ? .group(name) : .file(group: group, name: name))
                }
            }
        }
    #endif
}
