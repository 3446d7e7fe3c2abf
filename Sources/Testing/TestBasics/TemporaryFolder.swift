import Foundation

/// An empty folder that is removed, with its contents, when the last reference is released.
public final class TemporaryFolder: Sendable {
    /// The folder's URL.
    public let url: URL

    /// Makes the folder.
    public init() throws { url = try Fixtures.temporaryFolder() }

    deinit {
        // Files that cannot be removed remain in the process's temporary folder, which is removed when the process
        // ends.
        try? FileManager.default.removeItem(at: url)
    }
}
