import CoreData

/// What happened to a store's file while the store was open.
package enum FileProblem: String, Sendable {
    /// No file is at the store's path.
    case deleted
    /// Another file is at the store's path.
    case replaced
    /// The contents of the file are no longer a store.
    case damaged

    /// The problem of the file that an error of a store reports; nil for other errors.
    init?(_ error: any Error) {
        let error = error as NSError
        guard error.domain == NSCocoaErrorDomain, error.code == NSFileReadCorruptFileError else { return nil }
        self = .damaged
    }

    /// The error code for programs, such as `fileDeleted`.
    private var code: String { "file" + rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// A sentence about what happened, with the file's path.
    func sentence(_ path: String) -> String {
        switch self {
        case .deleted: "\(path): the file was deleted or moved while it was open"
        case .replaced: "\(path): the file was replaced by another while it was open"
        case .damaged: "\(path): the file is damaged"
        }
    }

    private func hint(_ reopens: Bool) -> String {
        let again = reopens ? "open it again" : "start the program again"
        return switch self {
        case .deleted: "put the file back, then \(again)"
        case .replaced: "\(again) to see what is there now; nothing is written to it before"
        case .damaged: "put a backup in its place, or save what can be read with 'coredata recover'; then \(again)"
        }
    }

    /// The failure of requests for the store.
    ///
    /// - Parameters:
    ///   - cause: The text of the store's error.
    ///   - reopens: Whether the browser can open the file again.
    func failure(_ path: String, store: String, cause: String? = nil, reopens: Bool) -> BrowserFailure {
        BrowserFailure(
            503, code: code, reason: sentence(path) + (cause.map { " (\($0))" } ?? ""), hint: hint(reopens),
            details: [
                .init(key: "store", value: .string(store)), .init(key: "path", value: .string(path)),
                .init(key: "reopens", value: .bool(reopens)),
            ])
    }
}
