import Foundation

/// A folder that its owner alone may look into, with files that its owner alone may read.
///
/// Files are found from the folder's descriptor, once the folder was checked, so that nothing that happens to its path in between
/// leads elsewhere; links in place of files are refused.
struct PrivateFolder: Sendable {
    let url: URL

    /// The most bytes of a file that are read.
    static let greatestSize = 4 << 20

    /// The content of a file; nil if there is none.
    ///
    /// - Throws: ``AccountError``: `insecureFile`, `unreadableStore`.
    func read(_ name: String) throws -> Data? {
        guard let folder = try open(creating: false) else { return nil }
        guard let file = Descriptor.opened(openat(folder.number, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK))
        else {
            guard errno != ENOENT else { return nil }
            throw Self.unreadable(path(name), errno)
        }
        try file.checkIsPrivate(path(name), maskedBy: 0o077)
        return try file.readAll(path(name), limit: Self.greatestSize)
    }

    /// Replaces a file as a whole. The caller has the lock: the new content first lies under one name.
    ///
    /// - Throws: ``AccountError``: `insecureFile`, `unwritableStore`.
    func write(_ data: Data, to name: String) throws {
        let folder = try openForWriting()
        let new = name + ".new"
        unlinkat(folder.number, new, 0)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        guard let file = Descriptor.opened(openat(folder.number, new, flags, 0o600)) else {
            throw Self.unwritable(path(new), errno)
        }
        do {
            try file.writeAll(data, path(new))
            guard fsync(file.number) == 0, renameat(folder.number, new, folder.number, name) == 0 else {
                throw Self.unwritable(path(name), errno)
            }
        } catch {
            unlinkat(folder.number, new, 0)
            throw error
        }
        fsync(folder.number)
    }

    /// Locks a file, which is made if it is missing, against all others that do; nil while another has it. The lock ends
    /// with the object, or with the process.
    ///
    /// - Throws: ``AccountError``: `insecureFile`, `unwritableStore`.
    func tryLock(_ name: String) throws -> Descriptor? {
        let folder = try openForWriting()
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        guard let file = Descriptor.opened(openat(folder.number, name, flags, 0o600)) else {
            throw Self.unwritable(path(name), errno)
        }
        try file.checkIsPrivate(path(name), maskedBy: 0o077)
        guard flock(file.number, LOCK_EX | LOCK_NB) != 0 else { return file }
        guard errno == EWOULDBLOCK || errno == EINTR else { throw Self.unwritable(path(name), errno) }
        return nil
    }

    /// As ``tryLock(_:)``, but waits up to ten seconds; for locks that are held shortly.
    func lock(_ name: String) throws -> Descriptor {
        for _ in 0..<2_000 {
            if let lock = try tryLock(name) { return lock }
            usleep(5_000)
        }
        throw AccountError(.unwritableStore, "another process has held \(path(name)) locked for ten seconds")
    }

    private func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    private func openForWriting() throws -> Descriptor {
        guard let folder = try open(creating: true) else { throw Self.unwritable(url.path, ENOENT) }
        return folder
    }

    /// Opens the folder and checks it; nil if it is missing.
    private func open(creating: Bool) throws -> Descriptor? {
        if creating { try create(url) }
        guard let folder = Descriptor.opened(Self.openFolder(url.path)) else {
            let code = errno
            guard code != ENOENT else { return nil }
            throw Self.unreadable(url.path, code)
        }
        try folder.checkIsPrivate(url.path, maskedBy: 0o077, kind: S_IFDIR)
        return folder
    }

    private static func openFolder(_ path: String) -> Int32 {
        // By the module's name: in the type `open` is a method.
        systemOpen(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    }

    /// Makes the folder, and those above it that are missing, for the owner alone.
    private func create(_ folder: URL) throws {
        guard mkdir(folder.path, 0o700) != 0, errno != EEXIST else { return }
        let (code, above) = (errno, folder.deletingLastPathComponent())
        guard code == ENOENT, above.path != folder.path else { throw Self.unwritable(folder.path, code) }
        try create(above)
        guard mkdir(folder.path, 0o700) == 0 || errno == EEXIST else { throw Self.unwritable(folder.path, errno) }
    }

    static func unreadable(_ path: String, _ code: Int32) -> AccountError {
        AccountError(.unreadableStore, "\(path) cannot be read: \(String(cString: strerror(code)))")
    }

    static func unwritable(_ path: String, _ code: Int32) -> AccountError {
        AccountError(.unwritableStore, "\(path) cannot be written: \(String(cString: strerror(code)))")
    }
}
