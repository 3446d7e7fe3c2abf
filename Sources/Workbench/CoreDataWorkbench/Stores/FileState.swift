import CoreData

/// A fingerprint of a file, which is another after the file was replaced or written. Writing to the same length within a tick of the
/// system's clock, some milliseconds, is not noticed.
package struct FileState: Hashable, Sendable {
    private var device: UInt64 = 0
    private var number: UInt64 = 0
    private var size: Int64 = 0
    private var seconds = 0
    private var nanoseconds = 0

    /// The present state; empty and missing files all have the same one, since every reader of a store creates an empty
    /// log.
    package init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size > 0 else { return }
        (device, number, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }

    /// The state as numbers, which are equal for equal states.
    var numbers: [Int64] { [Int64(seconds), Int64(nanoseconds), size, Int64(truncatingIfNeeded: number)] }
}
