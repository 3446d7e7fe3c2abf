import Foundation
import Testing

/// Places for tests that ask more of the temporary folder than that it can be written.
extension Fixtures {
    /// Binds a Unix socket at a URL whose path may exceed the 108 bytes of a socket address; the caller must close it.
    package static func boundSocket(at url: URL) throws -> Int32 {
        let folder = open(url.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY)
        try #require(folder >= 0)
        defer { close(folder) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array("/proc/self/fd/\(folder)/\(url.lastPathComponent)".utf8)
        try #require(path.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(descriptor >= 0 && bound == 0, "no socket at \(url.path)")
        return descriptor
    }

    /// Sets the temporary folder of this process to one that all users can enter and write.
    ///
    /// Changes the environment, so call it only in the process of an exit test, before any other work.
    package static func useTemporaryFolderOfAllUsers() throws {
        let usual = FileManager.default.temporaryDirectory.path
        let folder = [usual, "/tmp", "/var/tmp", "/dev/shm"].first(where: isForAllUsers)
        setenv("TMPDIR", try #require(folder, "no temporary folder is for all users"), 1)
    }

    private static func isForAllUsers(_ path: String) -> Bool {
        var place = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        var wanted: mode_t = 0o003
        while true {
            var status = stat()
            guard stat(place.path, &status) == 0, status.st_mode & wanted == wanted else { return false }
            guard place.path != "/" else { return true }
            place.deleteLastPathComponent()
            wanted = 0o001
        }
    }
}
