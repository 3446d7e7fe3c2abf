import CoreData

/// Identifies a file independently of its path, by device and inode number.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64

    init(device: UInt64, number: UInt64) {
        (self.device, self.number) = (device, number)
    }

    /// Nil if the file does not exist.
    init?(_ path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        (device, number) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
    }
}
