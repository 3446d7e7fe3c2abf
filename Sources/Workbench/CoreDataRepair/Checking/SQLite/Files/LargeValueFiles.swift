import CoreData
import SQLiteKit

/// The files in a store's folder of large values that no row names.
///
/// A save writes a file before the row that names it is committed, so a young file may belong to a save under way. Only
/// files are removed that are regular, bear the name of a large value, and are older than the grace time; no link is
/// followed.
struct LargeValueFiles {
    /// A day, in seconds.
    package static let usualGrace: Double = 86_400

    let store: URL
    let connection: Connection
    let catalog: Catalog

    /// What a file in the folder is.
    enum Kind {
        case orphaned
        /// Not named by any row, but younger than the grace time.
        case young
        /// Nothing that Core Data puts there.
        case strange
    }

    /// Hands out the names of the files that no row names.
    ///
    /// - Throws: `SQLiteError` where rows cannot be read, as it is then not known what they name.
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
        // It may have gone meanwhile.
        guard fstatat(folder.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        guard status.st_mode & S_IFMT == S_IFREG, name.utf8.count == 36, UUID(uuidString: name) != nil else {
            return .strange
        }
        let age = Date().timeIntervalSince1970 - Double(status.st_mtim.tv_sec) - Double(status.st_mtim.tv_nsec) / 1e9
        return age >= grace ? .orphaned : .young
    }

    /// Notes every name that any column of any table may stand for, those of its history too.
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

    /// Whether another store has the same folder: then it cannot be determined from one of them what belongs to neither.
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
