import CoreData

/// The stored state of views of a store: a JSON value for each name, which all tabs share or of which each tab has its
/// own.
struct ViewState {
    private static let suffix = ".json"
    private static let limit = 1 << 20
    private static let nameLimit = 64

    /// The number of tabs whose values are stored; those of the least recently written ones are removed.
    private static let tabLimit = 20

    private let file: URL
    private let others: Others?
    /// The values of other files with the store's identifier, the newest first.
    private var siblings: [URL] = []

    /// The values that other tabs have under the same name.
    private struct Others {
        let prefix: String
        let folder: StateFolder
        let identifier: String

        /// Their files, the newest first.
        func files() throws -> [URL] {
            let names = try folder.names(suffix: ViewState.suffix, ofStore: identifier).filter { $0.hasPrefix(prefix) }
            let files = try names.map { try folder.file($0, suffix: ViewState.suffix, ofStore: identifier) }
            return files.map { ($0, Self.date($0)) }.sorted { $0.1 > $1.1 }.map(\.0)
        }

        fileprivate static func date(_ url: URL) -> Date {
            (try? url.resourceValues(forKeys: [.contentModificationDateKey]))?.contentModificationDate ?? .distantPast
        }
    }

    /// - Parameters:
    ///   - tab: The tab that has the value; nil for a value that all tabs share.
    ///   - identity: A store, whose other files provide the value until this file has its own; nil for none.
    /// - Throws: `BrowserFailure` for an invalid name, and if the folder cannot be made.
    init(
        _ name: String, of tab: String? = nil, ofStore identifier: String, likeThose identity: StoreFileIdentity? = nil,
        in folder: StateFolder
    )
        throws
    {
        guard ([name] + [tab].compactMap(\.self)).allSatisfy(Self.isName) else {
            throw BrowserFailure.badRequest(
                "what is remembered is named by at most \(Self.nameLimit) letters, digits, '-' and '_'")
        }
        let shared = "view-" + name
        file = try folder.file(tab.map { "\(shared)@\($0)" } ?? shared, suffix: Self.suffix, ofStore: identifier)
        others = tab.map { _ in Others(prefix: shared + "@", folder: folder, identifier: identifier) }
        if let identity, tab == nil {
            siblings = try folder.folders(of: identity).filter { $0 != identifier }
                .flatMap { other in
                    try folder.names(suffix: Self.suffix, ofStore: other).filter { $0 == shared }.map { _ in other }
                }
                .map { try folder.file(shared, suffix: Self.suffix, ofStore: $0) }
                .map { ($0, Others.date($0)) }.sorted { $0.1 > $1.1 }.map(\.0)
        }
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= nameLimit
            && text.utf8.allSatisfy { byte in
                let character = Character(UnicodeScalar(byte))
                return byte < 0x80 && (character.isLetter || character.isNumber || "-_".contains(character))
            }
    }

    /// The value; else the newest of other files or other tabs; null if nothing is stored.
    func read() throws -> JSONValue {
        if let own = try Self.value(in: file) { return own }
        for other in try siblings + (others?.files() ?? []) {
            if let value = try Self.value(in: other) { return value }
        }
        return .null
    }

    private static func value(in file: URL) throws -> JSONValue? {
        guard let bytes = try StateFile.bytes(of: file, limit: limit) else { return nil }
        return try JSONReader.values(in: bytes, of: file.path).first ?? .null
    }

    /// Stores a value, and removes those of the least recently written tabs beyond the limit.
    func write(_ value: JSONValue) throws {
        let bytes = Array((JSONWriter.line(value) + "\n").utf8)
        guard bytes.count <= Self.limit else { throw BrowserFailure.tooLarge(Self.limit) }
        try StateFile.write(bytes, to: file)
        for old in try others?.files().dropFirst(Self.tabLimit) ?? [] { unlink(old.path) }
    }
}
