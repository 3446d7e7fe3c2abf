import Foundation

/// The files of a folder and those within it, without hidden ones and links.
struct FolderListing {
    struct File {
        /// Within the folder.
        let path: String
        let size: Int
        let time: Date
    }

    /// The most files that are listed.
    private static let bound = 2_000_000

    let files: [File]

    /// - Throws: ``PhotoLibraryError`` with `unavailable` if the folder cannot be read.
    init(_ folder: URL) throws {
        let keys: Set<URLResourceKey> = [.isRegularFileKey, .fileSizeKey, .contentModificationDateKey]
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isDirectory), isDirectory.boolValue,
            let found = FileManager.default.enumerator(
                at: folder, includingPropertiesForKeys: Array(keys), options: [.skipsHiddenFiles])
        else {
            throw PhotoLibraryError(
                .unavailable, "the folder of the photo library cannot be read",
                hint: "see that '\(folder.path)' is there and can be read")
        }
        let start = folder.resolvingSymlinksInPath().path + "/"
        var files: [File] = []
        for case let file as URL in found {
            guard files.count < Self.bound, let values = try? file.resourceValues(forKeys: keys),
                values.isRegularFile == true, let size = values.fileSize, let time = values.contentModificationDate
            else { continue }
            let path = file.path
            let own = folder.path + "/"
            guard path.hasPrefix(own) || path.hasPrefix(start) else { continue }
            files.append(
                File(path: String(path.dropFirst((path.hasPrefix(own) ? own : start).count)), size: size, time: time))
        }
        self.files = files
    }
}
