import CoreDataModeling
import Foundation

/// A folder that peers share: of one device, or one that a file-syncing program keeps the same on several.
///
/// Each item is a file that never changes. It is written under a temporary name and renamed; names have lower-case letters only and
/// never begin with a dot. What others put there is read and never changed, wherever it has `.ocsync` in its name: so the conflict
/// copies of file-syncing programs are read too, and their content says who wrote them.
public final class FolderTransport: SyncTransport {
    /// The ending of the items' names.
    static let ending = ".ocsync"
    /// The ending of files that are being written.
    static let unfinished = ".part"

    private let folder: String
    private let watcher = FolderWatcher()

    /// Uses a folder, which is made with the first item.
    public init(_ url: URL) { folder = url.standardizedFileURL.path }

    /// The folder's path.
    public var title: String { folder }
    /// The folder's path.
    public var address: String? { folder }

    /// The items in the folder.
    public func items() throws -> [SyncItem] {
        guard let directory = opendir(folder) else {
            guard errno != ENOENT else { return [] }
            throw Self.failure("read", folder, errno)
        }
        defer { closedir(directory) }
        var items: [SyncItem] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let name, Self.isItem(name), let item = item(name) else { continue }
            items.append(item)
        }
        return items
    }

    private static func isItem(_ name: String) -> Bool {
        let lower = name.lowercased()
        return !name.hasPrefix(".") && lower.contains(ending) && !lower.hasSuffix(unfinished)
    }

    /// An item of a plain file; nil for anything else.
    private func item(_ name: String) -> SyncItem? {
        var status = stat()
        guard lstat(path(name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let time = status.st_mtim
        return SyncItem(
            name: name, size: Int(status.st_size), stamp: "\(time.tv_sec).\(time.tv_nsec).\(status.st_ino)")
    }

    private func path(_ name: String) -> String { folder + "/" + name }

    /// The bytes of an item.
    public func read(_ item: SyncItem, atMost limit: Int) throws -> [UInt8]? {
        // A link or a pipe that took the file's place is not followed and does not block.
        let file = open(path(item.name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            guard errno != ENOENT else { return nil }
            throw Self.failure("read", item.name, errno)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: min(max(0, Int(status.st_size)), limit))
        var count = 0
        while count < bytes.count {
            let read = bytes.withUnsafeMutableBytes { Self.read(file, $0, from: count) }
            guard read >= 0 || errno == EINTR else { throw Self.failure("read", item.name, errno) }
            guard read != 0 else { break }
            count += max(0, read)
        }
        return Array(bytes.prefix(count))
    }

    private static func read(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer, from start: Int) -> Int {
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
        #if canImport(Glibc)
            return Glibc.read(file, rest.baseAddress, rest.count)
        #elseif canImport(Musl)
            return Musl.read(file, rest.baseAddress, rest.count)
        #elseif canImport(Android)
            return Android.read(file, rest.baseAddress, rest.count)
        #else
            return Darwin.read(file, rest.baseAddress, rest.count)
        #endif
    }

    /// Writes a file under a temporary name, flushes it, and gives it its name.
    public func write(_ bytes: [UInt8], named name: String) throws {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw Self.failure("make", folder, errno)
        }
        let temporary = path("\(name).\(UInt32.random(in: .min ... .max))\(Self.unfinished)")
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw Self.failure("write", name, errno) }
        var isWritten = false
        defer {
            close(file)
            if !isWritten { unlink(temporary) }
        }
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Foundation.write(file, buffer.baseAddress?.advanced(by: start), buffer.count - start)
            }
            guard count >= 0 || errno == EINTR else { throw Self.failure("write", name, errno) }
            start += max(0, count)
        }
        guard fsync(file) == 0, rename(temporary, path(name)) == 0 else { throw Self.failure("write", name, errno) }
        isWritten = true
    }

    /// Removes a file.
    public func remove(_ name: String) throws {
        guard unlink(path(name)) != 0, errno != ENOENT else { return }
        throw Self.failure("remove", name, errno)
    }

    /// Watches the folder where the system can. Links and folders that are moved are not always reported: the folder is looked at from
    /// time to time as well.
    public func watch(_ changed: (@Sendable () -> Void)?) -> Bool {
        watcher.watch(folder, changed)
        return false
    }

    private static func failure(_ action: String, _ name: String, _ number: Int32) -> SyncError {
        let reason = String(cString: strerror(number))
        let cure =
            switch number {
            case ENOSPC, EDQUOT: "Make room in the folder; nothing is lost, and the next exchange goes on."
            case EACCES, EPERM, EROFS: "Give this user the right to read and write the folder."
            default: "Check the folder and the disk it is on, and exchange again."
            }
        return SyncError(.transport, "Cannot \(action) '\(name)' of the shared folder: \(reason).", cure: cure)
    }
}
