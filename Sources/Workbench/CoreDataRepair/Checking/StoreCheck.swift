import CoreData

/// Searches a store in a file for faults, without changing the store.
///
/// The checker of SQLite stores queries the database directly, so that it can check stores that Core Data cannot open,
/// and its memory does not grow with the store. The checker of atomic stores (XML, binary) loads the whole file.
package struct StoreCheck {
    /// The default of `limit`, the greatest number of findings of one kind that the report lists.
    package static let usualLimit = 100

    package let url: URL
    package let model: URL?
    package var limit = Self.usualLimit
    /// The grace time in seconds: a younger file of a large value that no row names may belong to a running save and is
    /// not a finding.
    package var grace: Double = LargeValueFiles.usualGrace

    package init(_ url: URL, model: URL? = nil) {
        self.url = url
        self.model = model
    }

    /// - Throws: `InspectionError`: `unreadable` for a file that is not a store and for a server's store,
    ///   `modelMismatch` if the given model is not the model of the store.
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
