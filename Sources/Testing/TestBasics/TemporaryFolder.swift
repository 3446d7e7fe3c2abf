import Foundation

/// An empty folder that is removed, with its contents, when the last reference is released.
public final class TemporaryFolder: Sendable {
    /// Where the folder is.
    public let url: URL

    /// Makes the folder.
    public init() throws { url = try Fixtures.temporaryFolder() }

    deinit {
        // What cannot be removed is in the process's own temporary folder, which is removed at its end.
        try? FileManager.default.removeItem(at: url)
    }
}
