import CoreData
import SQLiteKit

/// What a folder has, for a backup: its entries, and which of them are databases.
struct BackupSource {
    struct Item {
        let path: String
        let url: URL
        let kind: BackupManifest.Kind
        let mode: Int
    }

    /// The greatest depth of folders.
    private static let deepest = 200

    private(set) var items: [Item] = []
    /// What is left out, with the reason.
    private(set) var omitted: [(path: String, reason: String)] = []
    private let root: URL

    /// Lists a folder, in the order of the paths; folders come before what they have.
    ///
    /// - Throws: `BackupError` with `unreadable`.
    init(_ root: URL) throws {
        self.root = root
        try list("", depth: 0)
    }

    private mutating func list(_ folder: String, depth: Int) throws {
        let place = folder.isEmpty ? root : root.appendingPathComponent(folder)
        guard depth <= Self.deepest else {
            throw BackupError(.unreadable, "'\(place.path)' lies deeper than \(Self.deepest) folders: move it.")
        }
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: place.path).sorted() } catch {
            throw BackupError(.unreadable, "'\(place.path)' cannot be listed: \(error.localizedDescription)")
        }
        // Side files are part of their database's copy.
        var companions: Set<String> = []
        var found: [(name: String, status: stat)] = []
        for name in names {
            var status = stat()
            guard lstat(place.appendingPathComponent(name).path, &status) == 0 else { continue }
            found.append((name, status))
            if Self.isDatabase(place.appendingPathComponent(name), status) {
                companions.formUnion(["-wal", "-shm", "-journal"].map { name + $0 })
                companions.insert(".\((name as NSString).deletingPathExtension)_SUPPORT")
            }
        }
        for (name, status) in found where !companions.contains(name) {
            try add(name, folder.isEmpty ? name : "\(folder)/\(name)", status, depth: depth)
        }
    }

    private mutating func add(_ name: String, _ path: String, _ status: stat, depth: Int) throws {
        let url = root.appendingPathComponent(path)
        let mode = Int(status.st_mode & 0o777)
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            if let reason = BackupExclusion.reason(for: url, isFolder: true) { return omitted.append((path, reason)) }
            items.append(Item(path: path, url: url, kind: .folder, mode: mode))
            try list(path, depth: depth + 1)
        case S_IFREG:
            if let reason = BackupExclusion.reason(for: url, isFolder: false) { return omitted.append((path, reason)) }
            let kind: BackupManifest.Kind = Self.isDatabase(url, status) ? .database : .file
            items.append(Item(path: path, url: url, kind: kind, mode: mode))
        case S_IFLNK: items.append(Item(path: path, url: url, kind: .link, mode: mode))
        default: omitted.append((path, "no file"))
        }
    }

    /// Whether a file is a database of SQLite. SQLite itself is asked: closing another descriptor of a store that this
    /// process has open would drop the locks on it.
    private static func isDatabase(_ url: URL, _ status: stat) -> Bool {
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size >= 512, status.st_size % 512 == 0 else { return false }
        guard let connection = try? Connection.open(url.path, OpenOptions(mode: .readOnly)) else {
            // One whose log cannot be read without writing beside it.
            return (try? RawStore(at: url)) != nil
        }
        connection.close()
        return true
    }
}
