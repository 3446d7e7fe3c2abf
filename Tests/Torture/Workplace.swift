import CoreData
import TestBasics

/// The folder that an operation works on, which can be put back to how it was before it.
struct Workplace {
    let url: URL
    private let folder: TemporaryFolder
    /// The files by their paths within the folder.
    private let files: [String: Data]

    /// Has an operation prepared in a new folder.
    init(_ operation: Operation) throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("work")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try operation.prepare(url)
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: url.path) {
            let file = url.appendingPathComponent(path)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            files[path] = try Data(contentsOf: file)
        }
        self.files = files
    }

    /// Puts the folder back.
    func reset() throws {
        try FileManager.default.removeItem(at: url)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (path, data) in files {
            let file = url.appendingPathComponent(path)
            let parent = file.deletingLastPathComponent()
            if parent != url { try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true) }
            try data.write(to: file)
        }
    }

    /// What lies in the folder itself, without the files that SQLite keeps beside a database.
    func names() throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        return Set(names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") && !$0.hasSuffix("_SUPPORT") })
    }
}
