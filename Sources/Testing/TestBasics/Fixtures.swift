import Foundation

/// The stores and models made by Apple's framework, kept beside the project in `../shared/fixtures`.
public enum Fixtures {
    /// The folder that holds `stores/` and `models/`.
    public static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/fixtures")

    /// Whether the folder exists; if not, tests that need it are skipped.
    public static let areAvailable = FileManager.default.fileExists(
        atPath: folder.appendingPathComponent("stores").path)

    /// The reason that a skipped test reports.
    public static let missing = "../shared/fixtures is absent"

    /// The URL of a fixture, by its path below the fixtures folder.
    public static func url(_ path: String) -> URL { folder.appendingPathComponent(path) }

    /// Copies a fixture store with its `-wal` and `-shm` into a new temporary folder and returns the copy's URL.
    public static func copyOfStore(_ path: String) throws -> URL {
        let source = url(path)
        let target = try temporaryFolder().appendingPathComponent(source.lastPathComponent)
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: source.path + suffix) {
            let copy = URL(fileURLWithPath: target.path + suffix)
            try FileManager.default.copyItem(at: URL(fileURLWithPath: source.path + suffix), to: copy)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy.path)
        }
        return target
    }

    /// Makes an empty folder of its own for one test; it is removed when the process ends.
    public static func temporaryFolder() throws -> URL {
        let folder = scratch.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// The folder that contains this process's temporary folders, with default permissions, so that other users can
    /// read files in it.
    private static let scratch: URL = {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("opencoredata-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)")
        // Files that cannot be removed remain in the system's temporary folder, which the system clears.
        atexit { try? FileManager.default.removeItem(at: Fixtures.scratch) }
        return folder
    }()
}
