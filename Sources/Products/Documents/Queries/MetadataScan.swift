import CoreDataFoundation

/// One look at folders: the files that match, and the folders that were seen.
struct MetadataScan {
    /// The most files and folders that are looked at.
    static let maximumEntries = 200_000

    private(set) var items: [String: NSMetadataItem] = [:]
    private(set) var folders: [String] = []

    /// Packages, which are folders with an extension, are items; other folders are looked into.
    init(_ scopes: [URL], _ predicate: NSPredicate?) {
        var left = Self.maximumEntries
        var open = scopes
        while let folder = open.popLast(), left > 0 {
            folders.append(folder.path)
            for entry in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
                left -= 1
                guard left > 0, let item = NSMetadataItem(folder: folder, entry: entry) else { continue }
                let url = folder.appendingPathComponent(entry)
                var status = stat()
                if url.pathExtension.isEmpty, lstat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                    open.append(url)
                    continue
                }
                guard predicate?.evaluate(with: item.dictionary) != false else { continue }
                items[item.path] = item
            }
        }
    }
}
