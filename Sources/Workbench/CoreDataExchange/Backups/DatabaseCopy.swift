import CoreData
import SQLiteKit

/// A copy of a database as it is at one moment, while programs may use it.
struct DatabaseCopy {
    let source: URL
    let destination: URL

    /// Copies a store with the files of its large values, or another database.
    ///
    /// - Returns: the names of large values whose files the store itself lacks.
    func run() throws -> [String] {
        guard let store = try? RawStore(at: source) else {
            let connection = try Connection.open(source.path, OpenOptions(mode: .readOnly))
            defer { connection.close() }
            try connection.backUp(toNewFile: destination.path)
            return []
        }
        try store.copy(to: destination)
        // The values of the copied state: what was added since is not needed, what was deleted may be gone.
        var missing = try lacking()
        if !missing.isEmpty {
            // Again, while saves wait: then nothing is deleted between the database and its files.
            var options = OpenOptions(mode: .readWrite)
            options.busyTimeout = .seconds(60)
            guard let lock = try? Connection.open(source.path, options) else { return missing }
            defer { lock.close() }
            try lock.transaction(.immediate) {
                try removeCopy()
                try store.copy(to: destination)
            }
            missing = try lacking()
        }
        return missing
    }

    private func lacking() throws -> [String] {
        let folder = Self.folder(of: destination)
        return try Self.names(in: destination).filter {
            !FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
        }
    }

    private func removeCopy() throws {
        try FileManager.default.removeItem(at: destination)
        let folder = Self.folder(of: destination).deletingLastPathComponent()
        if FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
    }

    /// The folder of a store's large values.
    static func folder(of store: URL) -> URL {
        store.deletingLastPathComponent()
            .appendingPathComponent(".\(store.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA")
    }

    /// The names of files that rows of a store refer to: blobs of 38 bytes that begin with byte 2.
    static func names(in store: URL) throws -> [String] {
        let raw = try RawStore(at: store)
        var names: Set<String> = []
        for table in raw.catalog.tables where !table.isVirtual && table.name.hasPrefix("Z") {
            for column in table.columns where !column.isGenerated && column.declaredType.uppercased() == "BLOB" {
                let name = "\"" + column.name.replacing("\"", with: "\"\"") + "\""
                let statement = try raw.connection.prepare(
                    "SELECT CAST(substr(\(name), 2, 36) AS TEXT) FROM \"\(table.name.replacing("\"", with: "\"\""))\" "
                        + "WHERE typeof(\(name)) = 'blob' AND length(\(name)) = 38 AND substr(\(name), 1, 1) = x'02'")
                while try statement.step() {
                    if let text = statement.text(0), UUID(uuidString: text) != nil { names.insert(text) }
                }
            }
        }
        return names.sorted()
    }

    /// What SQLite finds wrong in a database; empty if it is whole.
    static func faults(in file: URL) throws -> [String] {
        let connection = try Connection.open(file.path, OpenOptions(mode: .readOnly))
        defer { connection.close() }
        return try connection.quickFaults(limit: 3)
    }
}
