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
    private var visited: Set<Place> = []

    /// The files, in no order.
    private(set) var files: [FoundFile] = []
    /// The absolute paths of the folders that were read, for those who watch them.
    private(set) var folders: [BytePath] = []
    /// Relative paths of folders that could not be read.
    private(set) var unreadable: [BytePath] = []

    init(_ root: BytePath, skipping skipped: Set<BytePath>) {
        (self.root, self.skipped) = (root, skipped)
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
            guard let names = names(in: absolute) else {
                if path.bytes.isEmpty {
                    throw MediaLibraryError(
                        .folderUnavailable,
                        "The folder '\(root.text)' cannot be read: \(String(cString: strerror(errno)))",
                        hint: "check that it is there and may be read, and scan again")
                }
                unreadable.append(path)
                continue
            }
            if names.contains(Self.cacheTag), !path.bytes.isEmpty { continue }
            folders.append(absolute)
            for name in names.sorted() { try visit(path.appending(name), depth, &open) }
        }
    }

    private static let cacheTag = BytePath("CACHEDIR.TAG")

    private mutating func visit(_ path: BytePath, _ depth: Int, _ open: inout [(path: BytePath, depth: Int)]) throws {
        let form = MediaForm(path)
        let absolute = root.appending(path)
        var status = stat()
        guard !skipped.contains(absolute), absolute.withCString({ stat($0, &status) }) == 0 else { return }
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

    private mutating func isNew(_ status: stat) -> Bool {
        visited.insert(Place(device: UInt64(status.st_dev), number: UInt64(status.st_ino))).inserted
    }

    /// The names in a folder, but for hidden ones; nil if it cannot be read.
    private mutating func names(in folder: BytePath) -> [BytePath]? {
        guard let stream = folder.withCString({ opendir($0) }) else { return nil }
        defer { closedir(stream) }
        if visited.isEmpty {
            var status = stat()
            if folder.withCString({ stat($0, &status) }) == 0 { _ = isNew(status) }
        }
        var names: [BytePath] = []
        while let entry = readdir(stream) {
            let bytes = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: UInt8.self, capacity: 256) {
                    Array(UnsafeBufferPointer(start: $0, count: strnlen(entry: $0)))
                }
            }
            guard let first = bytes.first, first != UInt8(ascii: ".") else { continue }
            names.append(BytePath(bytes))
        }
        return names
    }

    private func strnlen(entry: UnsafePointer<UInt8>) -> Int {
        var count = 0
        while count < 256, entry[count] != 0 { count += 1 }
        return count
    }
}
