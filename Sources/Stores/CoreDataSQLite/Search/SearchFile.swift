import CoreDataSQL
import SQLiteKit

/// The file of a search index, opened by the connection that writes the store.
///
/// The index contains no original data: an unusable file is deleted and rebuilt from the store.
final class SearchFile {
    let layout: SearchLayout
    let connection: Connection
    private let storePath: String

    /// How long to wait for another process that updates the index.
    private static let patience = Duration.milliseconds(250)

    /// Opens the index of a store; creates it if it is missing or unusable.
    ///
    /// `fileSystem` is the name of SQLite's VFS through which the store is written.
    init(_ layout: SearchLayout, storePath: String, fileSystem: String?) throws {
        self.layout = layout
        self.storePath = storePath
        let open = { try Self.open(layout, storePath: storePath, fileSystem: fileSystem) }
        if let connection = try? open() {
            self.connection = connection
        } else {
            SearchLayout.removeFiles(ofStore: storePath)
            connection = try open()
        }
    }

    /// Opens an index that another connection has created.
    init(opening layout: SearchLayout, storePath: String, fileSystem: String?) throws {
        self.layout = layout
        self.storePath = storePath
        connection = try Self.open(layout, storePath: storePath, fileSystem: fileSystem)
    }

    private static func open(_ layout: SearchLayout, storePath: String, fileSystem: String?) throws -> Connection {
        var options = OpenOptions(mode: .create)
        options.busyTimeout = patience
        options.vfs = fileSystem
        let connection = try Connection.open(SearchLayout.path(ofStore: storePath), options)
        do {
            try connection.setPragma("journal_mode", to: .text("wal"))
            // The loss of a commit would be detected, and the log keeps the file intact.
            try connection.setPragma("synchronous", to: .text("normal"))
            try connection.transaction(.immediate) {
                if try connection.value("SELECT count(*) FROM sqlite_master")?.integer == 0 {
                    try layout.make(connection)
                }
            }
            guard try layout.isMade(in: connection, schema: "main") else {
                throw SQLiteError(code: .mismatch, attempt: "open the search index", message: "it is of another kind")
            }
            return connection
        } catch {
            connection.close()
            throw error
        }
    }

    var hasMoved: Bool { connection.fileHasMoved }

    func record() throws -> SearchRecord { try SearchRecord(connection, schema: "main") }

    /// Begins to write; does not wait while another connection compares the complete store with the index.
    func begin() throws {
        let isBusy = (try? record().isBusy) ?? false
        connection.setBusyTimeout(isBusy ? .zero : Self.patience)
        try connection.begin(.immediate)
    }

    /// Commits the transaction and records the state of the store with which the index is then up to date; nil if it is
    /// unknown.
    func commit(inStepWith state: StoreState?) throws {
        let log = state?.log.map(Value.blob) ?? .null
        let file = state.flatMap { $0.isSettled ? $0.file : nil }.map(Value.blob) ?? .null
        try connection.execute("UPDATE state SET log = ?, file = ?, busy = 0", [log, file])
        try connection.commit()
    }

    /// Records that the index is up to date with no state of the store, and that a connection is building it.
    func announceBuilding() throws {
        try connection.execute("UPDATE state SET log = NULL, file = NULL, busy = 1")
    }

    func rollBack() { try? connection.rollBack() }

    /// Records for other connections that this one is about to compare the complete store with the index.
    func announceComparison() throws { try connection.execute("UPDATE state SET busy = 1") }

    func close() { connection.close() }

    // MARK: Texts

    /// Returns the folded text that the index has for a row; nil if there is none.
    func text(_ number: Int, _ key: Int64) throws -> String? {
        try connection.value("SELECT text FROM text\(number) WHERE key = ?", [.integer(key)])?.text
    }

    /// Whether the index has neither texts nor coordinates.
    func isEmpty() throws -> Bool {
        try layout.columns.indices.allSatisfy { try connection.value("SELECT 1 FROM text\($0) LIMIT 1") == nil }
            && layout.pairs.indices.allSatisfy { try connection.value("SELECT 1 FROM box\($0) LIMIT 1") == nil }
    }

    static func folded(_ text: String) -> String {
        TextFolding.folded(text, options: [.caseInsensitive, .diacriticInsensitive])
    }

    /// Sets the folded text that the index has for a row; nil removes it.
    func replace(_ number: Int, _ key: Int64, by text: String?) throws {
        let former = try self.text(number, key)
        guard former != text else { return }
        if let former {
            try write(
                number, key: key, text: former, prefix: "'delete', ", names: ("trigrams\(number), ", "words\(number), ")
            )
            try connection.execute("DELETE FROM text\(number) WHERE key = ?", [.integer(key)])
        }
        guard let text else { return }
        try connection.execute("INSERT INTO text\(number) VALUES (?, ?)", [.integer(key), .text(text)])
        try write(number, key: key, text: text, prefix: "", names: ("", ""))
    }

    /// Inserts a text into the full-text tables, or deletes it from them.
    private func write(_ number: Int, key: Int64, text: String, prefix: String, names: (String, String)) throws {
        try connection.execute(
            "INSERT INTO trigrams\(number)(\(names.0)rowid, text) VALUES (\(prefix)?, ?)",
            [.integer(key), .text(SearchKey.key(of: text))])
        try connection.execute(
            "INSERT INTO words\(number)(\(names.1)rowid, words) VALUES (\(prefix)?, ?)",
            [.integer(key), .text(SearchWords.words(ofFolded: text).joined(separator: " "))])
    }
}
