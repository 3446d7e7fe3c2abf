import CoreData

/// A version of a store's contents: the contents are the same while the version is equal.
package struct StoreVersion: Hashable, Sendable {
    private let saves: Int
    private let files: StoreFileState

    /// The version after a number of saves by this program, which alone distinguish the versions of a store without a
    /// file.
    init(_ url: URL?, saves: Int) {
        self.saves = saves
        files = StoreFileState(url)
    }

    /// The version as clients receive it and send it back; equal for equal versions.
    var text: String { ([Int64(saves)] + files.numbers).map { String($0, radix: 36) }.joined(separator: "-") }
}
