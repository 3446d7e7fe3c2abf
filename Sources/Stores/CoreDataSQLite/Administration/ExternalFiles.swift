import CoreDataSQL
import SQLiteKit

/// The files of large values that the rows of a store refer to, found without a model.
struct ExternalFiles {
    /// Returns the names of files in the rows: in blob columns, values of 38 bytes that begin with byte 2.
    static func names(in connection: Connection) throws -> Set<String> {
        var names: Set<String> = []
        for table in try connection.catalog().tables where !table.isVirtual && table.name.hasPrefix("Z") {
            for column in table.columns where !column.isGenerated && column.declaredType.uppercased() == "BLOB" {
                let name = SQLIdentifier.quoted(column.name)
                let statement = try connection.prepare(
                    "SELECT CAST(substr(\(name), 2, 36) AS TEXT) FROM \(SQLIdentifier.quoted(table.name)) "
                        + "WHERE typeof(\(name)) = 'blob' AND length(\(name)) = 38 AND substr(\(name), 1, 1) = x'02'")
                while try statement.step() {
                    if let text = statement.text(0), UUID(uuidString: text) != nil { names.insert(text) }
                }
            }
        }
        return names
    }

    /// Copies files from the folder of one store to that of another; files that the source lacks are skipped.
    static func copy(_ names: Set<String>, from source: URL, to destination: URL) throws {
        guard !names.isEmpty, !isShared(source, destination),
            let folder = try? ExternalFolder(store: source, makesFolders: false)
        else { return }
        let target = try ExternalFolder(store: destination, makesFolders: true)
        for name in names.sorted() where folder.has(name) {
            try target.put(name, of: folder)
        }
    }

    /// Removes files, and the folders if they are empty afterwards.
    ///
    /// Stores in one folder whose names differ only in the extension share the folder of large values: then all files
    /// stay.
    static func remove(_ names: Set<String>, of store: URL) {
        guard !hasNamesake(store), let folder = try? ExternalFolder(store: store, makesFolders: false) else { return }
        names.forEach(folder.remove)
        let support = store.deletingLastPathComponent()
            .appendingPathComponent(".\(store.deletingPathExtension().lastPathComponent)_SUPPORT").path
        // `rmdir` removes only empty folders.
        rmdir(support + "/_EXTERNAL_DATA")
        rmdir(support)
    }

    private static func isShared(_ one: URL, _ other: URL) -> Bool {
        let (one, other) = (one.deletingPathExtension(), other.deletingPathExtension())
        return one.standardizedFileURL.resolvingSymlinksInPath().path
            == other.standardizedFileURL.resolvingSymlinksInPath().path
    }

    private static func hasNamesake(_ store: URL) -> Bool {
        let own = ["", "-wal", "-shm", "-journal", TemporaryStoreOwner.suffix].map { store.lastPathComponent + $0 }
        let base = store.deletingPathExtension().lastPathComponent
        // If the folder cannot be listed, another store is assumed.
        let files = try? FileManager.default.contentsOfDirectory(atPath: store.deletingLastPathComponent().path)
        return files?.contains { !own.contains($0) && ($0 as NSString).deletingPathExtension == base } ?? true
    }
}
