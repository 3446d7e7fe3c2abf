import CoreDataSQL
import SQLiteKit

extension SQLiteStoreOpening {
    /// Returns the search index for the attributes that the model marks; nil if it marks none, or the file has no
    /// write-ahead log.
    private func searchSetup(_ opened: Opened, isImmutable: Bool = false) throws -> SearchSetup? {
        let columns = SearchColumn.all(of: opened.file.schema, opened.file.layouts)
        let pairs = SearchPair.all(of: opened.file.schema, opened.file.layouts)
        guard !columns.isEmpty || !pairs.isEmpty else { return nil }
        // For an immutable file SQLite does not report write-ahead mode.
        guard try isImmutable || opened.file.connection.pragma("journal_mode")?.text == "wal" else { return nil }
        let (findings, path) = (opened.file.shape.findings, url.path)
        return SearchSetup(
            SearchLayout(columns: columns, pairs: pairs, store: opened.identifier), storePath: path,
            isImmutable: isImmutable
        ) {
            findings.note(
                "Its search index in '\(SearchLayout.path(ofStore: path))' is not used: \(PrintableText.line("\($0)")). "
                    + "It is made anew when the store is opened for writing.")
        }
    }

    /// Creates or updates the search index of a store that is opened for writing.
    func beginSearch(_ opened: Opened) throws {
        guard options[SQLiteStoreLeavesNoTraceOption] as? Bool != true, let setup = try searchSetup(opened) else {
            return
        }
        let writer = SearchWriter(setup, fileSystem: options[SQLiteStoreFileSystemOption] as? String)
        try writer.begin(opened.file.connection)
        opened.file.shape.search = setup
        opened.file.searchWriter = writer
        opened.file.search = SearchReader(setup, attachingTo: opened.file.connection)
    }

    /// Uses the search index of a store that is opened for reading, if it exists; if anything is wrong with the index,
    /// the store is read without it.
    func readSearch(_ opened: Opened, leavesTraces: Bool) {
        let isImmutable = FileAccess.forReading(url.path, leavesTraces: leavesTraces) == .immutable
        // If no file may be created, the index can only be read if it has no log.
        guard leavesTraces || isImmutable,
            !isImmutable || FileAccess.size(SearchLayout.path(ofStore: url.path) + "-wal") == 0,
            let setup = try? searchSetup(opened, isImmutable: isImmutable)
        else { return }
        opened.file.shape.search = setup
        opened.file.search = SearchReader(setup, attachingTo: opened.file.connection)
    }
}
