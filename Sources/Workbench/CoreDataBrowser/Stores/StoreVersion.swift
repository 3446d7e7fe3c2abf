import CoreData

/// Distinguishes the states of a store: equal ones have the same objects.
package struct StoreVersion: Hashable, Sendable {
    private let saves: Int
    private let files: StoreFileState

    /// The state after a number of saves of this program, which stores without a file are distinguished by.
    init(_ url: URL?, saves: Int) {
        self.saves = saves
        files = StoreFileState(url)
    }

    /// The state as clients send it back; equal for equal states.
    var text: String { ([Int64(saves)] + files.numbers).map { String($0, radix: 36) }.joined(separator: "-") }
}
