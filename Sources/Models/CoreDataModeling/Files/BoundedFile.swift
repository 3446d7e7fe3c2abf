import CoreDataFoundation

/// Reads files of models completely, if they are regular files and not larger than a limit.
package enum BoundedFile {
    /// The largest size of a model in any form, in bytes.
    package static let greatestModelSize = 64 << 20

    /// - Throws: `ModelingError`: `.unreadable` if the file is not regular or cannot be read, `.limitExceeded` if it is
    ///   larger.
    package static func read(_ url: URL, limit: Int) throws -> Data {
        // The size is tested with the bytes read, since the file may grow after its size is read.
        let data = try start(of: url, count: limit + 1)
        guard data.count <= limit else {
            throw ModelingError(.limitExceeded, "it has more than \(limit) bytes").at(path: url.path)
        }
        return data
    }

    /// The first bytes of a file, fewer if it is shorter.
    ///
    /// - Throws: `ModelingError` `.unreadable` if the file is not regular or cannot be read.
    static func start(of url: URL, count: Int) throws -> Data {
        let path = url.resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            throw ModelingError(.unreadable, "there is no such file").at(path: url.path)
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw ModelingError(.unreadable, "it is not a regular file").at(path: url.path)
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw ModelingError(.unreadable, "it cannot be opened").at(path: url.path)
        }
        defer { try? handle.close() }
        do {
            return try handle.read(upToCount: count) ?? Data()
        } catch {
            throw ModelingError(.unreadable, "reading failed: \(error.localizedDescription)").at(path: url.path)
        }
    }

    static func isDirectory(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && isDirectory.boolValue
    }

    static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    /// The names in a folder, sorted; empty if the folder cannot be listed.
    static func names(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }
}
