import CoreData

/// Looks for everything in a store that is not as it should be, and changes nothing.
///
/// Each kind of store has a checker of its own that gives findings; that of SQLite asks the file itself, so that also
/// stores are checked that cannot be opened, and memory does not grow with them. A store of one file is read whole.
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

    /// - Throws: `InspectionError`: `unreadable` for what is not a store at all, `modelMismatch` for a given model of others.
    package func run() throws -> StoreCheckReport {
        guard url.isFileURL else {
            throw InspectionError(
                .unreadable, subject: url.place,
                cause: "the files of a server's databases are not there to be looked at",
                hint: "use the extension amcheck and pg_checksums on the server")
        }
        let isDatabase = StoreFileKind.type(of: url) == .sqlite
        return isDatabase ? try SQLiteStoreCheck(self).run() : try WholeFileStoreCheck(self).run()
    }
}
