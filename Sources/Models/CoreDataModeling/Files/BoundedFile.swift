import CoreDataFoundation

/// Reads entire files of models: regular ones only, and no more than a limit.
package enum BoundedFile {
    /// The most bytes of a model that are read, in whatever form.
    package static let greatestModelSize = 64 << 20

    /// - Throws: `ModelingError`: `.unreadable` if it is not a regular file that can be read, `.limitExceeded` if it is larger.
    package static func read(_ url: URL, limit: Int) throws -> Data {
        // The size is that of the bytes and not of the file, which may grow.
        let data = try start(of: url, count: limit + 1)
        guard data.count <= limit else {
            throw ModelingError(.limitExceeded, "it has more than \(limit) bytes").at(path: url.path)
        }
        return data
    }

    /// The first bytes of a file, fewer if it is shorter.
    ///
    /// - Throws: `ModelingError` `.unreadable` if it is not a regular file that can be read.
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

    /// The names in a folder, in order; empty if it cannot be listed.
    static func names(in folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }
}
