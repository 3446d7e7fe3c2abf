import CoreData

/// A fingerprint of a store's files: while it is equal, the store's contents are the same.
package struct StoreFileState: Hashable, Sendable {
    private let files: [FileState]

    /// The present state; stores without a file all have the same one.
    package init(_ url: URL?) {
        guard let url, url.isFileURL else {
            files = []
            return
        }
        files = ["", "-wal"].map { FileState(url.path + $0) }
    }

    /// The state as numbers, which are equal for equal states.
    package var numbers: [Int64] { files.flatMap(\.numbers) }
}
