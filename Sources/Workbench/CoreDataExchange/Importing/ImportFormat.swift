import CoreData

/// The form of a file that is imported.
package enum ImportFormat: String, CaseIterable, Sendable {
    /// One array of objects, or objects one after another.
    case json
    /// One JSON object on each line.
    case jsonl
    /// A table with a header line (RFC 4180).
    case csv

    /// The format that a file's extension indicates; standard input is JSON.
    ///
    /// - Throws: `InspectionError` for another name.
    init(_ path: String) throws {
        switch path == "-" ? "json" : URL(fileURLWithPath: path).pathExtension.lowercased() {
        case "json": self = .json
        case "jsonl", "ndjson": self = .jsonl
        case "csv": self = .csv
        default:
            throw InspectionError(
                .unreadable, subject: Self.name(of: path), cause: "its name does not tell what form it has",
                hint: "say it with --from: " + Self.allCases.map(\.rawValue).joined(separator: ", "))
        }
    }

    /// What a file is called in messages.
    static func name(of path: String) -> String {
        PrintableText.escaped(path == "-" ? "standard input" : path, limit: 200)
    }

    /// What reads the objects of a file; those of a table that names no entity are of the one that the file is named
    /// after.
    func source(_ file: FileBlocks, path: String) -> any ImportSource {
        guard self == .csv else { return JSONObjectStream(file) }
        return CSVObjectStream(
            file, entity: path == "-" ? nil : URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent)
    }
}
