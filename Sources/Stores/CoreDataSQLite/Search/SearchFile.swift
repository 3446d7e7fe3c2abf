import CoreDataSQL
import SQLiteKit

/// The file of a search index, opened by the one who writes the store.
///
/// Nothing in it is needed: an unusable file is deleted and rebuilt from the store.
final class SearchFile {
    let layout: SearchLayout
    let connection: Connection
    private let storePath: String

    /// How long one waits for another process that brings the index in step.
    private static let patience = Duration.milliseconds(250)

    /// Opens the index of a store; makes it, in place of whatever cannot be used, where that is needed.
    ///
    /// `fileSystem` is the name of the file system that the store is written through.
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

    /// Opens the index that another connection has made.
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
            // A lost commit is noticed, and the log keeps what is left of the file sound.
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

    /// Begins to write; does not wait where a connection compares the whole store with the index.
    func begin() throws {
        let isBusy = (try? record().isBusy) ?? false
        connection.setBusyTimeout(isBusy ? .zero : Self.patience)
        try connection.begin(.immediate)
    }

    /// Ends the transaction, after which the index is in step with a state of the store; nil says with none that is known.
    func commit(inStepWith state: StoreState?) throws {
        let log = state?.log.map(Value.blob) ?? .null
        let file = state.flatMap { $0.isSettled ? $0.file : nil }.map(Value.blob) ?? .null
        try connection.execute("UPDATE state SET log = ?, file = ?, busy = 0", [log, file])
        try connection.commit()
    }

    /// Says that the index is in step with no state of the store, and that a connection is about to change that.
    func announceBuilding() throws {
        try connection.execute("UPDATE state SET log = NULL, file = NULL, busy = 1")
    }

    func rollBack() { try? connection.rollBack() }

    /// Notifies others that this one is about to compare the whole store with the index.
    func announceComparison() throws { try connection.execute("UPDATE state SET busy = 1") }

    func close() { connection.close() }

    // MARK: Texts

    /// The folded text that the index has of a row; nil for none.
    func text(_ number: Int, _ key: Int64) throws -> String? {
        try connection.value("SELECT text FROM text\(number) WHERE key = ?", [.integer(key)])?.text
    }

    /// Whether the index has no texts and no coordinates at all.
    func isEmpty() throws -> Bool {
        try layout.columns.indices.allSatisfy { try connection.value("SELECT 1 FROM text\($0) LIMIT 1") == nil }
            && layout.pairs.indices.allSatisfy { try connection.value("SELECT 1 FROM box\($0) LIMIT 1") == nil }
    }

    static func folded(_ text: String) -> String {
        TextFolding.folded(text, options: [.caseInsensitive, .diacriticInsensitive])
    }

    /// Makes a folded text what the index has of a row, nil for nothing.
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

    /// Enters a text into the tables that find it, or takes it out of them.
    private func write(_ number: Int, key: Int64, text: String, prefix: String, names: (String, String)) throws {
        try connection.execute(
            "INSERT INTO trigrams\(number)(\(names.0)rowid, text) VALUES (\(prefix)?, ?)",
            [.integer(key), .text(SearchKey.key(of: text))])
        try connection.execute(
            "INSERT INTO words\(number)(\(names.1)rowid, words) VALUES (\(prefix)?, ?)",
            [.integer(key), .text(SearchWords.words(ofFolded: text).joined(separator: " "))])
    }
}
