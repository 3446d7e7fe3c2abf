import CoreData

/// The list of a backup's files, `Backup.json` in its folder.
struct BackupManifest: Codable, Equatable {
    /// What an entry is.
    enum Kind: String, Codable {
        /// A file that was copied byte by byte.
        case file
        /// A database of SQLite, copied as one consistent state.
        case database
        /// A folder.
        case folder
        /// A symbolic link; `target` is where it leads.
        case link
    }

    struct Entry: Codable, Equatable {
        /// The path below the folder that was backed up, with `/`.
        var path: String
        var kind: Kind
        var size: Int = 0
        /// The digest of a file's bytes (`BackupDigest`), in hexadecimal digits; nil for folders and links.
        var digest: String?
        /// The permissions, such as 0o600.
        var mode: Int
        var target: String?
    }

    static let name = "Backup.json"
    static let files = "Files"
    /// The greatest size of a manifest that is read, in bytes: some two million entries.
    private static let greatestSize = 512 << 20

    /// The version of the form.
    var version = 1
    var made: Date
    var entries: [Entry]

    func write(to folder: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        try encoder.encode(self).write(to: folder.appendingPathComponent(Self.name))
    }

    /// Reads the list of a backup and checks it: paths that lead out of the backup are refused.
    ///
    /// - Throws: `BackupError` with `noBackup`.
    init(reading folder: URL) throws {
        let place = folder.appendingPathComponent(Self.name)
        guard let size = try? FileManager.default.attributesOfItem(atPath: place.path)[.size] as? Int else {
            throw BackupError(.noBackup, "'\(folder.path)' is no backup: it has no \(Self.name).")
        }
        guard size <= Self.greatestSize else {
            throw BackupError(.noBackup, "'\(place.path)' is too large to be the list of a backup: \(size) bytes.")
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do {
            self = try decoder.decode(BackupManifest.self, from: Data(contentsOf: place))
        } catch {
            throw BackupError(.noBackup, "'\(place.path)' is no list of a backup: \(error.localizedDescription)")
        }
        guard version == 1 else {
            throw BackupError(
                .noBackup, "'\(folder.path)' was written by a later version (\(version)): update coredata.")
        }
        try check(folder)
    }

    init(made: Date, entries: [Entry]) { (self.made, self.entries) = (made, entries) }

    private func check(_ folder: URL) throws {
        var seen: [String: Kind] = [:]
        for entry in entries {
            let parts = entry.path.split(separator: "/", omittingEmptySubsequences: false)
            let isInside = !parts.isEmpty && parts.allSatisfy { !["", ".", ".."].contains($0) && !$0.contains("\0") }
            let parent = parts.dropLast().joined(separator: "/")
            // What lies below a link or a file would be written elsewhere.
            guard isInside, seen[entry.path] == nil, parent.isEmpty || seen[parent] == .folder else {
                throw BackupError(
                    .noBackup, "'\(folder.path)' names a file that no backup has: '\(entry.path.prefix(200))'.")
            }
            seen[entry.path] = entry.kind
        }
    }
}

/// The digest of a file: SHA-256 over the SHA-256 of each MiB of it, so that files of any size are read piece by piece.
enum BackupDigest {
    static func of(_ file: URL) throws -> String {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        var digests: [UInt8] = []
        while let part = try handle.read(upToCount: 1 << 20), !part.isEmpty { digests += SHA2.sha256(part) }
        return SHA2.sha256(digests).map { String(format: "%02x", $0) }.joined()
    }
}
