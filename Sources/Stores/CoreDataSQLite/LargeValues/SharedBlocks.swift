import CoreDataSQL

/// Clones files that share their blocks until one of them is changed, on file systems that support this.
enum SharedBlocks {
    /// Makes an empty file a clone of another one; returns false if that is not supported.
    static func clone(_ source: Int32, to copy: Int32) -> Bool {
        #if os(Linux)
            // FICLONE, a macro that Swift does not import: _IOW(0x94, 9, int). Source: linux/fs.h.
            return ioctl(copy, UInt(0x4004_9409), source) == 0
        #else
            return false
        #endif
    }
}

extension ExternalFolder {
    /// Clones a file of another folder into this one, sharing its blocks; returns false if that is not supported.
    ///
    /// - Throws: `ExternalDataError` if the file cannot be synchronized to disk.
    func clone(_ name: String, of other: ExternalFolder) throws -> Bool {
        let file = openat(other.descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        let copy = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard copy >= 0 else { return false }
        defer { close(copy) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
            SharedBlocks.clone(file, to: copy)
        else {
            remove(name)
            return false
        }
        guard fsync(copy) == 0, fsync(descriptor) == 0 else {
            throw ExternalDataError(reason: "its file cannot be written", code: errno)
        }
        return true
    }
}
