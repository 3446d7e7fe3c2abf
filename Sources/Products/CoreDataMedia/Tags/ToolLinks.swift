import Foundation

/// A folder of links to files, by which helper programs are given names that they cannot misunderstand.
///
/// Names of files may have line breaks, bytes that are not UTF-8, signs of patterns, or begin with `#` or `-`. A link is named by a number and the
/// file's extension, so that results are found by number. The folder is removed with the last reference.
final class ToolLinks: Sendable {
    private let folder: URL
    /// The links, in the order of the files.
    let paths: [String]

    init(_ files: [BytePath]) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "coredata-media-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        self.folder = folder
        paths = files.enumerated().map { index, file in
            let ending = file.filenameExtension
            return folder.appendingPathComponent(ending.isEmpty ? "\(index)" : "\(index).\(ending)").path
        }
        for (path, file) in zip(paths, files) {
            guard file.withCString({ symlink($0, path) }) == 0 else {
                let reason = String(cString: strerror(errno))
                try? FileManager.default.removeItem(at: folder)
                throw MediaLibraryError(
                    .toolFailed, "The temporary folder '\(folder.path)' cannot be written: \(reason)",
                    hint: "make space, or set TMPDIR to another folder")
            }
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
