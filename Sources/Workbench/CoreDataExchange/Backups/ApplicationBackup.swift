import CoreData

/// Backups of an application's folder: its stores as they are at one moment while programs use them, with the files of
/// large values, and all other files.
///
/// A backup is a folder with `Files` and the list `Backup.json`, which has a digest of each file. All functions may be
/// called from any thread, and work through large files piece by piece.
public enum ApplicationBackup {
    /// What a backup has.
    public struct Summary: Sendable, Equatable {
        /// The number of files, databases among them, and of the files of their large values.
        public internal(set) var files = 0
        /// The number of databases.
        public internal(set) var databases = 0
        /// The size of all files in bytes.
        public internal(set) var bytes = 0
        /// What was left out, as `PATH: REASON`.
        public internal(set) var omitted: [String] = []
        /// What should be looked at, such as a large value whose file the store lacks.
        public internal(set) var warnings: [String] = []
    }

    /// Backs up a folder into a new one.
    ///
    /// Each database is a consistent copy, one after the other: two stores that a program saves together may be copied
    /// with a save of one only. Where large values are deleted while their store is copied, it is copied again while saves
    /// wait. The new folder has its name once it is complete. Left out is what ``BackupExclusion``
    /// names, and what is no file.
    ///
    /// - Throws: ``BackupError`` with `unreadable` or `unwritable`; nothing is left then.
    @discardableResult
    public static func make(of folder: URL, to destination: URL) throws -> Summary {
        let (folder, destination) = (folder.resolvingSymlinksInPath(), destination.standardizedFileURL)
        try requireFree(destination, outside: folder)
        let source = try BackupSource(folder)
        let temporary = temporaryFolder(beside: destination)
        do {
            let files = temporary.appendingPathComponent(BackupManifest.files)
            try FileManager.default.createDirectory(
                at: files, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            var work = BackupWork(source: source, files: files)
            try work.run()
            try BackupManifest(made: Date(), entries: work.entries).write(to: temporary)
            try FileManager.default.moveItem(at: temporary, to: destination)
            return work.summary
        } catch {
            remove(temporary)
            if let error = error as? BackupError { throw error }
            throw BackupError(
                .unwritable, "The backup '\(destination.path)' cannot be written: \(error.localizedDescription)")
        }
    }

    /// Reads a backup through: each file by its digest, each database by SQLite.
    ///
    /// - Throws: ``BackupError`` with `noBackup`, or with `damaged`, which names the first ten files.
    @discardableResult
    public static func verify(_ backup: URL) throws -> Summary {
        try verify(backup, BackupManifest(reading: backup), BackupManifest.files)
    }

    /// Restores a backup, which is verified first, to a new folder.
    ///
    /// - Throws: ``BackupError``; nothing is left then.
    @discardableResult
    public static func restore(_ backup: URL, to destination: URL) throws -> Summary {
        let destination = destination.standardizedFileURL
        try requireFree(destination, outside: backup.resolvingSymlinksInPath())
        let manifest = try BackupManifest(reading: backup)
        let temporary = temporaryFolder(beside: destination)
        do {
            try FileManager.default.createDirectory(
                at: temporary, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let files = backup.appendingPathComponent(BackupManifest.files)
            try copy(manifest, from: files, to: temporary)
            // What was copied is read, not what was there before.
            let summary = try verify(temporary, manifest, nil)
            try finish(manifest, in: temporary)
            try FileManager.default.moveItem(at: temporary, to: destination)
            return summary
        } catch {
            remove(temporary)
            if let error = error as? BackupError { throw error }
            throw BackupError(
                .unwritable, "'\(destination.path)' cannot be restored: \(error.localizedDescription)")
        }
    }

    // MARK: Parts

    private static func verify(_ place: URL, _ manifest: BackupManifest, _ inner: String?) throws -> Summary {
        let root = inner.map { place.appendingPathComponent($0) } ?? place
        var (summary, faults) = (Summary(), [String]())
        for entry in manifest.entries where entry.kind == .file || entry.kind == .database {
            let file = root.appendingPathComponent(entry.path)
            summary.files += 1
            summary.bytes += entry.size
            if entry.kind == .database { summary.databases += 1 }
            if let fault = fault(of: entry, file) { faults.append("\(entry.path): \(fault)") }
        }
        guard faults.isEmpty else {
            let rest = faults.count > 10 ? ", and \(faults.count - 10) more" : ""
            throw BackupError(
                .damaged,
                "\(faults.count) files of '\(place.path)' are not as they were backed up: "
                    + faults.prefix(10).joined(separator: ", ") + rest + ". Use another backup.")
        }
        return summary
    }

    private static func fault(of entry: BackupManifest.Entry, _ file: URL) -> String? {
        var status = stat()
        guard lstat(file.path, &status) == 0 else { return "missing" }
        guard status.st_mode & S_IFMT == S_IFREG else { return "no file" }
        guard Int(status.st_size) == entry.size else { return "\(status.st_size) bytes instead of \(entry.size)" }
        guard let digest = try? BackupDigest.of(file) else { return "unreadable" }
        guard digest == entry.digest else { return "other bytes" }
        guard entry.kind == .database else { return nil }
        do { return try DatabaseCopy.faults(in: file).first } catch { return "\(error)" }
    }

    private static func copy(_ manifest: BackupManifest, from files: URL, to folder: URL) throws {
        for entry in manifest.entries {
            let target = folder.appendingPathComponent(entry.path)
            switch entry.kind {
            case .folder:
                try FileManager.default.createDirectory(
                    at: target, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            case .file, .database:
                let file = files.appendingPathComponent(entry.path)
                guard FileManager.default.fileExists(atPath: file.path) else { continue }
                try FileManager.default.copyItem(at: file, to: target)
            case .link: continue
            }
        }
    }

    /// Makes links and sets permissions when everything is written: folders may be read only.
    private static func finish(_ manifest: BackupManifest, in folder: URL) throws {
        for entry in manifest.entries.reversed() {
            let place = folder.appendingPathComponent(entry.path)
            if entry.kind == .link {
                try FileManager.default.createSymbolicLink(
                    atPath: place.path, withDestinationPath: entry.target ?? "")
            } else {
                try FileManager.default.setAttributes([.posixPermissions: entry.mode & 0o777], ofItemAtPath: place.path)
            }
        }
    }

    private static func requireFree(_ destination: URL, outside folder: URL) throws {
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw BackupError(.unreadable, "There is no folder '\(folder.path)'.")
        }
        var status = stat()
        guard lstat(destination.path, &status) != 0 else {
            throw BackupError(.unwritable, "'\(destination.path)' exists already: give the name of a new folder.")
        }
        let inside = destination.deletingLastPathComponent().resolvingSymlinksInPath().path + "/"
        guard !inside.hasPrefix(folder.path + "/") else {
            throw BackupError(.unwritable, "'\(destination.path)' lies within '\(folder.path)': give another place.")
        }
    }

    private static func temporaryFolder(beside destination: URL) -> URL {
        destination.deletingLastPathComponent()
            .appendingPathComponent(".\(destination.lastPathComponent).partial-\(UUID().uuidString.prefix(8))")
    }

    private static func remove(_ folder: URL) { try? FileManager.default.removeItem(at: folder) }
}
