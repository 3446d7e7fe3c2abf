import CoreData
import SQLiteKit

/// The files in a store's folder of large values (external storage) that no row names.
///
/// A save writes a file before it commits the row that names the file, so a young file may belong to a running save.
/// Only regular files that have a UUID as name and are older than the grace time are orphaned, that is, removable;
/// symbolic links are not followed.
struct LargeValueFiles {
    /// The default grace time in seconds: a day.
    package static let usualGrace: Double = 86_400

    let store: URL
    let connection: Connection
    let catalog: Catalog

    /// The kinds of directory entries that no row names.
    enum Kind {
        case orphaned
        /// Not named by any row, but younger than the grace time.
        case young
        /// An entry that Core Data does not create: not a regular file, or its name is not a UUID.
        case strange
    }

    /// Calls `body` with the name and kind of each entry of the folder that no row names; `grace` is in seconds.
    ///
    /// - Throws: `SQLiteError` if rows cannot be read, since the files that they name are then unknown.
    func forEach(grace: Double, _ body: (String, Kind) throws -> Void) throws {
        guard let folder = try? ExternalFolder(store: store, makesFolders: false) else { return }
        try gatherNames()
        let present = dup(folder.descriptor)
        guard let stream = present < 0 ? nil : fdopendir(present) else {
            if present >= 0 { close(present) }
            return
        }
        defer { closedir(stream) }
        let named = try connection.prepare("SELECT 1 FROM temp.named WHERE name = ?")
        while let entry = readdir(stream) {
            let name = Self.name(of: entry)
            guard name != ".", name != ".." else { continue }
            try named.bind(name, at: 1)
            let isNamed = try named.step()
            named.reset()
            guard !isNamed, let kind = Self.kind(of: name, in: folder, grace: grace) else { continue }
            try body(name, kind)
        }
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static func kind(of name: String, in folder: ExternalFolder, grace: Double) -> Kind? {
        var status = stat()
        // Another process may have removed the file since `readdir` returned it.
        guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFREG, name.utf8.count == 36, UUID(uuidString: name) != nil else {
            return .strange
        }
        let age = Date().timeIntervalSince1970 - Double(status.st_mtim.tv_sec) - Double(status.st_mtim.tv_nsec) / 1e9
        return age >= grace ? .orphaned : .young
    }

    /// Fills `temp.named` with every file name that a BLOB column of any table may contain, including the history's.
    private func gatherNames() throws {
        try connection.execute("CREATE TEMP TABLE IF NOT EXISTS named (name TEXT PRIMARY KEY) WITHOUT ROWID")
        try connection.execute("DELETE FROM temp.named")
        for table in catalog.tables where !table.isVirtual {
            let columns = table.columns.filter {
                !$0.isGenerated && ["", "BLOB"].contains($0.declaredType.uppercased())
            }
            for column in columns {
                let quoted = SQLIdentifier.quoted(column.name)
                try connection.execute(
                    "INSERT OR IGNORE INTO temp.named SELECT CAST(substr(\(quoted), 2, 36) AS TEXT) "
                        + "FROM main.\(SQLIdentifier.quoted(table.name)) "
                        + "WHERE typeof(\(quoted)) = 'blob' AND length(\(quoted)) BETWEEN 37 AND 64 "
                        + "AND substr(\(quoted), 1, 1) = x'02'")
            }
        }
    }

    /// Whether a regular file beside the store has the same name with another extension, or the folder cannot be
    /// listed.
    ///
    /// Such a file may be a store that uses the same folder of large values, whose files may then belong to that store.
    var isShared: Bool {
        let own = ["", "-wal", "-shm", "-journal"].map { store.lastPathComponent + $0 }
        let base = store.deletingPathExtension().lastPathComponent
        let files = try? FileManager.default.contentsOfDirectory(atPath: store.deletingLastPathComponent().path)
        return files?.contains { name in
            !own.contains(name) && !name.hasPrefix(".") && (name as NSString).deletingPathExtension == base
                && FileStatus(store.deletingLastPathComponent().appendingPathComponent(name).path)?.isRegular == true
        } ?? true
    }
}
