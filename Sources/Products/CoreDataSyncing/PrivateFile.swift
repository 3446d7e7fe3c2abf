import CoreDataModeling
import Foundation

/// A file that its owner alone may read and write.
package struct PrivateFile {
    private let path: String

    package init(_ path: String) { self.path = path }

    /// The bytes; nil if there is no file.
    ///
    /// - Throws: `SyncError` with the code `keys` if others may read or change it, or it cannot be read.
    package func read(atMost limit: Int) throws -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            guard errno != ENOENT else { return nil }
            throw Self.failure("read", path, errno)
        }
        defer { close(file) }
        try check(file)
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = Foundation.read(file, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure("read", path, errno) }
            guard count > 0 else { return bytes }
            bytes += part[..<count]
        }
        throw SyncError(.keys, "The file of keys '\(path)' is too large.", cure: "Put it back from a backup.")
    }

    /// Gives the file other bytes, all or none of them.
    package func replace(_ bytes: [UInt8]) throws {
        let new = path + ".new"
        unlink(new)
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw Self.failure("write", path, errno) }
        var isDone = false
        defer {
            close(file)
            if !isDone { unlink(new) }
        }
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes { write(file, $0.baseAddress?.advanced(by: start), $0.count - start) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("write", path, errno) }
            start += count
        }
        guard fsync(file) == 0, rename(new, path) == 0 else { throw Self.failure("write", path, errno) }
        isDone = true
        // The new name lasts only once the folder is flushed too; where that cannot be done, nothing more can.
        let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    /// Locks the file, which is made if it is missing, until the descriptor is closed.
    package func lock() throws -> Int32 {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else { throw Self.failure("lock", path, errno) }
        do {
            try check(file)
            while flock(file, LOCK_EX) != 0 { guard errno == EINTR else { throw Self.failure("lock", path, errno) } }
        } catch {
            close(file)
            throw error
        }
        return file
    }

    /// Makes a folder, and those above it that are missing, for the owner alone.
    package static func makeFolder(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw failure("make", path, errno)
        }
    }

    /// The folder of this user's keys: `$XDG_STATE_HOME/opencoredata/sync`, or `~/.local/state/opencoredata/sync`.
    ///
    /// - Throws: `SyncError` with the code `keys` if neither variable names a folder.
    package static func folderOfKeys(in environment: [String: String]) throws -> URL {
        // A path that is not absolute does not count (XDG Base Directory Specification).
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            return URL(fileURLWithPath: state).appendingPathComponent("opencoredata/sync")
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw SyncError(
                .keys, "There is no folder for the keys of this device.", cure: "Set HOME or XDG_STATE_HOME.")
        }
        return URL(fileURLWithPath: home).appendingPathComponent(".local/state/opencoredata/sync")
    }

    private func check(_ file: Int32) throws {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Self.failure("read", path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw SyncError(
                .keys, "Others than its owner may read or change the file '\(path)'.",
                cure: "If others may have read it, revoke this device on another one; else run: chmod 600 '\(path)'.")
        }
    }

    private static func failure(_ action: String, _ path: String, _ number: Int32) -> SyncError {
        SyncError(
            .keys, "Cannot \(action) '\(path)': \(String(cString: strerror(number))).",
            cure: "Give this user the right to use the folder, and make room on the disk.")
    }
}
