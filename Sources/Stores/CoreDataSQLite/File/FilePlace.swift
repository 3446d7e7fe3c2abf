import CoreDataSQL

/// Identifies the file at a path by device and inode, whatever its content.
struct FilePlace: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Nil if the file does not exist.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}
