import Foundation

/// What says that a file is the one of the last scan, without reading it.
struct FileStamp: Hashable, Sendable {
    /// The number of the file in its file system; kept by renaming.
    let number: Int64
    /// The size in bytes.
    let size: Int64
    /// The time of the last change of the contents, in nanoseconds since 1970.
    let time: Int64

    init(number: Int64, size: Int64, time: Int64) {
        (self.number, self.size, self.time) = (number, size, time)
    }

    init(_ status: stat) {
        number = Int64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        time = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    }

    /// The stamp of the regular file at a path, links followed; nil if there is none.
    static func of(_ path: BytePath) -> FileStamp? {
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return FileStamp(status)
    }
}
