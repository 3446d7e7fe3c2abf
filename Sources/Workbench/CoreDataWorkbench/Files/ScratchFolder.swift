import CoreData

/// A folder in the temporary folder that only this user can read. It is removed with its contents when the last
/// reference is released.
package final class ScratchFolder: Sendable {
    let url: URL

    /// - Throws: `InspectionError` if the temporary folder cannot be written.
    package init() throws {
        let parent = FileManager.default.temporaryDirectory
        url = parent.appendingPathComponent("coredata-\(UUID().uuidString)")
        // Copies of stores are private.
        guard mkdir(url.path, 0o700) == 0 else {
            throw InspectionError(
                .unreadable, subject: parent.path,
                cause: "no folder can be made there: \(String(cString: strerror(errno)))",
                hint: "set TMPDIR to a folder that can be written")
        }
    }

    deinit {
        // If removing fails, the system removes the files when it clears the temporary folder.
        try? FileManager.default.removeItem(at: url)
    }

    /// The URL of a file in the folder.
    package func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// Runs `body` with a new folder, which is removed afterwards.
    package static func with<Result>(_ body: (ScratchFolder) throws -> Result) throws -> Result {
        let folder = try ScratchFolder()
        return try withExtendedLifetime(folder) { try body(folder) }
    }
}
