import CoreData

/// A fingerprint of a store's files: while it is equal, the store's contents are the same.
package struct StoreFileState: Hashable, Sendable {
    private let files: [File]

    private struct File: Hashable {
        var device: UInt64 = 0
        var number: UInt64 = 0
        var size: Int64 = 0
        var seconds = 0
        var nanoseconds = 0

        init(_ path: String) {
            var status = stat()
            // Every reader creates an empty log, which counts as a missing one.
            guard stat(path, &status) == 0, status.st_size > 0 else { return }
            (device, number, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    /// The present state; stores without a file all have the same one.
    package init(_ url: URL?) {
        guard let url, url.isFileURL else {
            files = []
            return
        }
        files = ["", "-wal"].map { File(url.path + $0) }
    }

    /// The state as numbers, which are equal for equal states.
    package var numbers: [Int64] {
        files.flatMap {
            [Int64($0.seconds), Int64($0.nanoseconds), $0.size, Int64(truncatingIfNeeded: $0.number)]
        }
    }
}
