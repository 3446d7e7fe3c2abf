import CoreData

/// The copying of a folder's entries into a backup.
struct BackupWork {
    let source: BackupSource
    /// Where the copies go.
    let files: URL
    private(set) var entries: [BackupManifest.Entry] = []
    private(set) var summary = ApplicationBackup.Summary()

    init(source: BackupSource, files: URL) { (self.source, self.files) = (source, files) }

    mutating func run() throws {
        summary.omitted = source.omitted.map { "\($0.path): \($0.reason)" }
        for item in source.items {
            let target = files.appendingPathComponent(item.path)
            var entry = BackupManifest.Entry(path: item.path, kind: item.kind, mode: item.mode)
            switch item.kind {
            case .folder:
                try FileManager.default.createDirectory(
                    at: target, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            case .link:
                entry.target = try FileManager.default.destinationOfSymbolicLink(atPath: item.url.path)
            case .file:
                do { try FileManager.default.copyItem(at: item.url, to: target) } catch {
                    // A program may remove a file between the listing and the copy.
                    guard FileManager.default.fileExists(atPath: item.url.path) else {
                        summary.warnings.append("\(item.path): removed while the backup was made")
                        continue
                    }
                    throw BackupError(
                        .unreadable, "'\(item.url.path)' cannot be copied: \(error.localizedDescription)")
                }
            case .database: try copyDatabase(item, to: target)
            }
            if item.kind == .file || item.kind == .database { try complete(&entry, target) }
            entries.append(entry)
            if item.kind == .database { try addLargeValues(of: item, target) }
        }
    }

    private mutating func copyDatabase(_ item: BackupSource.Item, to target: URL) throws {
        do {
            let missing = try DatabaseCopy(source: item.url, destination: target).run()
            summary.warnings += missing.map { "\(item.path): the file of the large value \($0) is missing" }
        } catch {
            throw BackupError(
                .unreadable,
                "The database '\(item.url.path)' cannot be copied: \(error.localizedDescription) "
                    + "'coredata check' says what is wrong with it.")
        }
        summary.databases += 1
    }

    private mutating func complete(_ entry: inout BackupManifest.Entry, _ file: URL) throws {
        entry.size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
        entry.digest = try BackupDigest.of(file)
        summary.files += 1
        summary.bytes += entry.size
    }

    /// Adds the files of large values that were copied with a store.
    private mutating func addLargeValues(of item: BackupSource.Item, _ copy: URL) throws {
        let folder = DatabaseCopy.folder(of: copy)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path), !names.isEmpty else {
            return
        }
        let parent = (item.path as NSString).deletingLastPathComponent
        let support = (parent.isEmpty ? "" : parent + "/") + folder.deletingLastPathComponent().lastPathComponent
        for path in [support, support + "/_EXTERNAL_DATA"] where !entries.contains(where: { $0.path == path }) {
            entries.append(BackupManifest.Entry(path: path, kind: .folder, mode: 0o755))
        }
        let known = Set(entries.map(\.path))
        for name in names.sorted() where !known.contains("\(support)/_EXTERNAL_DATA/\(name)") {
            var entry = BackupManifest.Entry(path: "\(support)/_EXTERNAL_DATA/\(name)", kind: .file, mode: 0o644)
            try complete(&entry, folder.appendingPathComponent(name))
            entries.append(entry)
        }
    }
}
