import CoreData

/// A folder of the program's own in the temporary folder, which is removed with its contents when the last reference is released.
package final class ScratchFolder {
    let url: URL

    /// - Throws: `InspectionError` where the temporary folder cannot be written.
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
        // What cannot be removed is in the temporary folder, which the system clears.
        try? FileManager.default.removeItem(at: url)
    }

    /// The place of a file in the folder.
    package func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// Lends a folder, which is gone afterwards.
    package static func with<Result>(_ body: (ScratchFolder) throws -> Result) throws -> Result {
        let folder = try ScratchFolder()
        return try withExtendedLifetime(folder) { try body(folder) }
    }
}
