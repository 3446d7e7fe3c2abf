import CoreDataFoundation

/// What a file or folder looked like at a moment: by it, a change of others is noticed.
///
/// Of a folder it covers all files within, since a change of one does not touch the folder itself.
struct ItemStamp: Equatable {
    private static let maximumEntries = 100_000
    private var entries: [String: [Int]] = [:]

    /// nil if there is no item.
    init?(_ url: URL) {
        guard let first = Self.entry(url.path) else { return nil }
        entries[""] = first
        guard first[0] & Int(S_IFMT) == Int(S_IFDIR), let all = FileManager.default.enumerator(atPath: url.path) else {
            return
        }
        while entries.count < Self.maximumEntries, let path = all.nextObject() as? String {
            entries[path] = Self.entry(url.path + "/" + path)
        }
    }

    private static func entry(_ path: String) -> [Int]? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        let time = status.st_mtim
        return [
            Int(status.st_mode), Int(status.st_size), Int(time.tv_sec), Int(time.tv_nsec),
            Int(truncatingIfNeeded: status.st_ino),
        ]
    }
}
