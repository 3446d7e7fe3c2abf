import CoreDataPostgres
import Foundation

/// A word of the command line that names a place.
///
/// What begins like a URL may hold a password. It is never taken for a path: it is read as a URL, or refused without being repeated.
enum PlaceWord {
    /// What is in the place.
    enum Kind {
        /// A store: a file, or a schema on a server.
        case store
        /// A file or a folder.
        case file
    }

    /// Why a word names no place.
    struct Refusal: Error {
        let cause: String
        let hint: String
    }

    /// What help calls the operands and values that name places.
    private static let kinds: [String: Kind] = [
        "STORE": .store, "NEW": .store, "A": .store, "B": .store, "OLD": .store, "MODEL|STORE": .store, "MODEL": .file,
        "PATH": .file, "IN": .file, "OUT": .file, "FILE": .file, "FOLDER": .file, "COPY": .file, "PACKAGE": .file,
        "FILE.json": .file, "FILE|FOLDER": .file, "PID|FILE": .file,
    ]

    /// What an operand or value of a name says; nil for what names no place.
    static func kind(of name: String) -> Kind? { kinds[name] }

    /// A word as messages show it.
    static func shown(_ word: some StringProtocol) -> String {
        ConcealedPasswords.isLikeURL(String(word)) ? "…" : String(word)
    }

    /// The word as a path, or as a URL of PostgreSQL that is one.
    static func read(_ word: String, _ kind: Kind) throws(Refusal) -> String {
        guard ConcealedPasswords.isLikeURL(word) else { return word }
        if word.lowercased().hasPrefix("file:/") {
            guard let url = URL(string: word), ["", "localhost"].contains(url.host() ?? ""), !url.path.isEmpty else {
                throw Refusal(cause: "it is no URL of a file", hint: "write file:///PATH, or the path itself")
            }
            return url.path
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

    /// The place that a word names which was read.
    static func url(_ word: String) -> URL { URL(server: word) ?? URL(fileURLWithPath: word) }
}
