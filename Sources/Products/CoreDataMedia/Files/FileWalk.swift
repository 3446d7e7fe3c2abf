import Foundation

/// A file of a scanned folder.
struct FoundFile: Sendable {
    /// Relative to the folder.
    let path: BytePath
    let stamp: FileStamp
    let form: MediaForm
}

/// Finds the files of a folder and its folders that may be media or playlists, without opening one.
///
/// Links are followed. A folder is visited once, however many links lead to it, so that no loop of links is endless. Left out are hidden
/// files and folders, folders marked as caches (`CACHEDIR.TAG`), and paths that the caller names, such as those of the store.
struct FileWalk {
    static let maximumDepth = 64
    static let maximumFiles = 5_000_000

    private struct Place: Hashable {
        let device, number: UInt64
    }

    private let root: BytePath
    private let skipped: Set<BytePath>
    /// The last parts of `skipped`.
    private let skippedNames: Set<BytePath>
    private var visited: Set<Place> = []
    /// What names with an extension are: few extensions are those of many files.
    private var forms: [String: MediaForm?] = [:]

    /// The files, in no order.
    private(set) var files: [FoundFile] = []
    /// The absolute paths of the folders that were read, for those who watch them.
    private(set) var folders: [BytePath] = []
    /// Relative paths of folders that could not be read.
    private(set) var unreadable: [BytePath] = []

    init(_ root: BytePath, skipping skipped: Set<BytePath>) {
        (self.root, self.skipped, skippedNames) = (root, skipped, Set(skipped.map(\.name)))
    }

    /// Reads the folder.
    ///
    /// - Parameter isCancelled: Asked at each folder.
    /// - Throws: ``MediaLibraryError``; `CancellationError`.
    mutating func read(isCancelled: () -> Bool) throws {
        // Folders that wait, as relative paths, so that the depth of the tree is not the depth of the stack.
        var open: [(path: BytePath, depth: Int)] = [(BytePath([UInt8]()), 0)]
        while let (path, depth) = open.popLast() {
            if isCancelled() { throw CancellationError() }
            let absolute = path.bytes.isEmpty ? root : root.appending(path)
            guard let folder = OpenFolder(absolute) else {
                if path.bytes.isEmpty {
                    throw MediaLibraryError(
                        .folderUnavailable,
                        "The folder '\(root.text)' cannot be read: \(String(cString: strerror(errno)))",
                        hint: "check that it is there and may be read, and scan again")
                }
                unreadable.append(path)
                continue
            }
            if visited.isEmpty, let status = folder.status { _ = isNew(status) }
            let entries = folder.entries()
            if entries.contains(where: { $0.name == Self.cacheTag }), !path.bytes.isEmpty { continue }
            folders.append(absolute)
            for entry in entries.sorted(by: { $0.name < $1.name }) { try visit(entry, of: folder, path, depth, &open) }
        }
    }

    private static let cacheTag = BytePath("CACHEDIR.TAG")
    private static let greatestForms = 4_096

    private mutating func visit(
        _ entry: OpenFolder.Entry, of folder: OpenFolder, _ path: BytePath, _ depth: Int,
        _ open: inout [(path: BytePath, depth: Int)]
    ) throws {
        let form = form(entry.name)
        // Asking for the status of a file takes most of the time of a walk.
        guard form != nil || !entry.isFile else { return }
        let path = path.appending(entry.name)
        if skippedNames.contains(entry.name), skipped.contains(root.appending(path)) { return }
        guard let status = folder.status(of: entry.name) else { return }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            if depth < Self.maximumDepth, isNew(status) { open.append((path, depth + 1)) }
        case S_IFREG:
            guard let form else { return }
            guard files.count < Self.maximumFiles else {
                throw MediaLibraryError(
                    .tooManyFiles, "The folder '\(root.text)' has more than \(Self.maximumFiles) files",
                    hint: "scan its folders one by one")
            }
            files.append(FoundFile(path: path, stamp: FileStamp(status), form: form))
        default: break
        }
    }

    private mutating func form(_ name: BytePath) -> MediaForm? {
        let ending = name.filenameExtension
        if let known = forms[ending] { return known }
        let form = MediaForm(name)
        if forms.count < Self.greatestForms { forms[ending] = .some(form) }
        return form
    }

    private mutating func isNew(_ status: stat) -> Bool {
        visited.insert(Place(device: UInt64(status.st_dev), number: UInt64(status.st_ino))).inserted
    }
}
