import CoreDataStore

/// The attributes of a file by which changes of the file are noticed without reading it.
struct FileMark: Equatable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let modified: [Int]
    let changed: [Int]
    let mode: mode_t

    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = [Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)]
        changed = [Int(status.st_ctim.tv_sec), Int(status.st_ctim.tv_nsec)]
        mode = status.st_mode
    }

    /// The mark of an open file.
    static func of(_ descriptor: Int32, path: String, operations: FileOperations) throws -> FileMark {
        var status = stat()
        try operations.call(.status, path: path) { Int(fstat(descriptor, &status)) }
        return FileMark(status)
    }

    /// The mark of the file at a path; nil if it does not exist.
    static func of(path: String, _ operations: FileOperations) throws -> FileMark? {
        var status = stat()
        do {
            try operations.call(.status, path: path) { Int(stat(path, &status)) }
        } catch let failure as FileFailure where failure.code == ENOENT {
            return nil
        }
        return FileMark(status)
    }

    var isRegular: Bool { mode & S_IFMT == S_IFREG }
}
