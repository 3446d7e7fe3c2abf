import CoreData

/// Looks for everything in a store that is not as it should be, and changes nothing.
///
/// Each kind of store has a checker of its own that gives findings; that of SQLite asks the file itself, so that also
/// stores are checked that cannot be opened, and memory does not grow with them.
package struct StoreCheck {
    /// How many findings of a kind are listed.
    package static let usualLimit = 100

    package let url: URL
    package let model: URL?
    package var limit = Self.usualLimit
    /// For how many seconds a file of a large value that no row names is taken for one of a save under way.
    package var grace: Double = LargeValueFiles.usualGrace

    package init(_ url: URL, model: URL? = nil) {
        self.url = url
        self.model = model
    }

    /// - Throws: `InspectionError`: `unreadable` for what is no store at all, `modelMismatch` for a given model of others.
    package func run() throws -> StoreCheckReport {
        guard StoreFileKind.type(of: url) == .sqlite else {
            throw InspectionError(
                .unreadable, url.path, "stores of this kind have no check", hint: "only SQLite stores are checked")
        }
        return try SQLiteStoreCheck(self).run()
    }
}
