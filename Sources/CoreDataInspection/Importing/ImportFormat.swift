import CoreData

/// The form of a file that is imported.
package enum ImportFormat: String, CaseIterable, Sendable {
    /// One array of objects, or objects one after another.
    case json
    /// An object a line.
    case jsonl

    /// The form that the name of a file tells; standard input is JSON.
    ///
    /// - Throws: `InspectionError` for another name.
    init(_ path: String) throws {
        switch path == "-" ? "json" : URL(fileURLWithPath: path).pathExtension.lowercased() {
        case "json": self = .json
        case "jsonl", "ndjson": self = .jsonl
        default:
            throw InspectionError(
                .unreadable, Self.name(of: path), "its name does not tell what form it has",
                hint: "say it with --from: " + Self.allCases.map(\.rawValue).joined(separator: ", "))
        }
    }

    /// What a file is called in messages.
    static func name(of path: String) -> String {
        PrintableText.escaped(path == "-" ? "standard input" : path, limit: 200)
    }

    /// What reads the objects of a file.
    func source(_ file: FileBlocks, entity: String?) -> any ImportSource { JSONObjectStream(file) }
}
