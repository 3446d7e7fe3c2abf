import CoreDataSyncHub
import CoreDataSyncing
import Foundation

/// Reads the folders of a hub when it starts.
struct StorageScan {
    private let folder: String
    private let keptChanges: Int

    init(_ folder: String, keptChanges: Int) { (self.folder, self.keptChanges) = (folder, keptChanges) }

    /// Makes the folder if it is not there.
    ///
    /// - Throws: `SyncError` if it cannot be made.
    func makeFolder() throws {
        try reading {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
    }

    /// The names of the groups that have folders.
    ///
    /// - Throws: `SyncError` if the folder cannot be read.
    func groups() throws -> [String] {
        try reading {
            try FileManager.default.contentsOfDirectory(atPath: folder).filter {
                HubNames.isGroup($0) && Self.isFolder("\(folder)/\($0)")
            }
        }
    }

    /// The items of groups. What is unfinished is removed, and what is neither is left alone.
    ///
    /// - Throws: `SyncError` if a group's folder cannot be read.
    func read(_ groups: [String]) throws -> StorageState {
        try reading {
            var state = StorageState()
            for group in groups { state.groups[group] = try index("\(folder)/\(group)", &state.usedBytes) }
            return state
        }
    }

    /// The names of a group's items; none where its folder cannot be read.
    func items(_ group: String) -> [String] {
        guard Self.isFolder("\(folder)/\(group)") else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(group)")) ?? []
        return names.filter(HubNames.isItem)
    }

    private func reading<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw SyncError(
                .transport, "The hub's folder '\(folder)' cannot be read.",
                cure: "Give the user of the hub the right to read and write it.")
        }
    }

    private func index(_ path: String, _ bytes: inout Int) throws -> ItemIndex {
        var index = ItemIndex(keptChanges: keptChanges)
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            let file = "\(path)/\(name)"
            if name.hasPrefix("."), name.hasSuffix(Upload.ending) {
                unlink(file)
            } else if HubNames.isItem(name), let item = Self.item(file, name) {
                _ = index.put(item)
                bytes += item.size
            }
        }
        return index
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The item of a file, by whose times and number others notice that it was written again; nil if it is no plain file.
    static func item(_ path: String, _ name: String) -> SyncItem? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let time = status.st_mtim
        return SyncItem(
            name: name, size: Int(status.st_size), stamp: "\(time.tv_sec).\(time.tv_nsec).\(status.st_ino)")
    }

    /// Has the disk keep the entries of a folder.
    static func flush(_ folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw HubRefusal.disk(errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw HubRefusal.disk(errno) }
    }
}
