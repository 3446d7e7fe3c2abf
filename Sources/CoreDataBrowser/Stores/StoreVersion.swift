import CoreData

/// What tells one state of a store from another: two that are equal have the same objects.
package struct StoreVersion: Hashable, Sendable {
    private let saves: Int
    private let files: [FileState]

    private struct FileState: Hashable {
        var device: UInt64 = 0
        var number: UInt64 = 0
        var size: Int64 = 0
        var seconds = 0
        var nanoseconds = 0

        init(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return }
            (device, number, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    /// The state after a number of saves of this program, which stores without a file are told apart by.
    init(_ url: URL?, saves: Int) {
        self.saves = saves
        files = url.map { url in ["", "-wal"].map { FileState(url.path + $0) } } ?? []
    }

    /// The state as clients send it back; equal for equal states.
    var text: String {
        let numbers = files.flatMap {
            [Int64($0.seconds), Int64($0.nanoseconds), $0.size, Int64(truncatingIfNeeded: $0.number)]
        }
        return ([Int64(saves)] + numbers).map { String($0, radix: 36) }.joined(separator: "-")
    }
}
