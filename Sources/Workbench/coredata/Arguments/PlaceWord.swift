import CoreDataExchange
import CoreDataPostgres
import CoreDataPrinting
import CoreDataSyncHub
import CoreDataSyncing
import Foundation

/// A word of the command line that names a file or a store.
///
/// A word that begins like a URL may contain a password. It is never taken for a path: it is parsed as a URL, or
/// refused by an error that does not repeat it.
enum PlaceWord {
    /// The kind of place that a word names.
    enum Kind {
        /// A store: a file, or a schema on a server.
        case store
        /// A file or a folder.
        case file
        /// A file, or what a URL of the web has.
        case webFile
        /// A folder, or a group of a hub of sync.
        case sharedFolder
    }

    /// Why a word does not name a valid place.
    struct Refusal: Error {
        let cause: String
        let hint: String
    }

    /// The kinds of places, by the names of operands and option values in help.
    private static let kinds: [String: Kind] = [
        "STORE": .store, "NEW": .store, "A": .store, "B": .store, "OLD": .store, "MODEL|STORE": .store, "MODEL": .file,
        "PATH": .file, "IN": .file, "OUT": .file, "FILE": .file, "FOLDER": .file, "COPY": .file, "PACKAGE": .file,
        "FILE.json": .file, "FILE|FOLDER": .file, "PID|FILE": .file, "FILE|URL": .webFile,
        "FILE|feed": .file, "DIR": .file, "FOLDER|HUB": .sharedFolder,
    ]

    /// The kind of place that an operand or option value names; nil if it does not name a place.
    static func kind(of name: String) -> Kind? { kinds[name] }

    /// A word as messages show it; a word like a URL is replaced by an ellipsis.
    static func shown(_ word: some StringProtocol) -> String {
        ConcealedPasswords.isLikeURL(String(word)) ? "…" : String(word)
    }

    /// The word as a path, or as a checked URL of a PostgreSQL server.
    static func read(_ word: String, _ kind: Kind) throws(Refusal) -> String {
        guard ConcealedPasswords.isLikeURL(word) else { return word }
        if word.lowercased().hasPrefix("file:/") {
            guard let url = URL(string: word), ["", "localhost"].contains(url.host() ?? ""), !url.path.isEmpty else {
                throw Refusal(cause: "it is no URL of a file", hint: "write file:///PATH, or the path itself")
            }
            return url.path
        }
        if kind == .webFile, ImportFile.isOnWeb(word) { return word }
        if kind == .sharedFolder, HubAddress.isAddress(word) {
            do {
                return try HubAddress(word).description
            } catch {
                throw Refusal(cause: error.description.droppingFullStop, hint: error.cure.droppingFullStop)
            }
        }
        guard kind == .store else {
            throw Refusal(cause: "a path is needed here", hint: "begin a path with ./ if it looks like a URL")
        }
        do {
            return try URL(checkingServer: word).absoluteString
        } catch {
            throw Refusal(cause: error.cause, hint: error.hint)
        }
    }

    /// The URL of the place that a word names; the word must be a result of `read`.
    static func url(_ word: String) -> URL { URL(server: word) ?? URL(fileURLWithPath: word) }
}
