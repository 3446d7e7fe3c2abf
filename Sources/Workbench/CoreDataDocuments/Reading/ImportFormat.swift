import CoreData

/// The form of a file that is imported.
package enum ImportFormat: String, CaseIterable, Sendable {
    /// One array of objects, or objects one after another.
    case json
    /// One JSON object on each line.
    case jsonl
    /// A table with a header line (RFC 4180), delimited by commas or another character.
    case csv
    /// A document of XML, which needs a mapping.
    case xml

    /// The format that a file's extension indicates; standard input is JSON.
    ///
    /// - Parameter name: what the file is called in the error; nil for its path.
    /// - Throws: `InspectionError` for another name.
    init(_ path: String, named name: String? = nil) throws {
        switch path == "-" ? "json" : URL(fileURLWithPath: path).pathExtension.lowercased() {
        case "json": self = .json
        case "jsonl", "ndjson": self = .jsonl
        case "csv", "tsv", "tab": self = .csv
        case "xml", "rss", "atom", "gpx", "kml", "opml": self = .xml
        case "geojson", "topojson": self = .json
        default:
            throw InspectionError(
                .unreadable, subject: Self.name(of: name ?? path), cause: "its name does not tell what form it has",
                hint: "say it with --from: " + Self.allCases.map(\.rawValue).joined(separator: ", "))
        }
    }

    /// The format of a media type (RFC 8259, RFC 7111, and the usual names of lines of JSON); nil for others.
    init?(contentType: String) {
        switch contentType.prefix(while: { $0 != ";" }).trimmingCharacters(in: .whitespaces).lowercased() {
        case "application/json", "text/json": self = .json
        case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines":
            self = .jsonl
        case "text/csv", "text/tab-separated-values": self = .csv
        case "application/xml", "text/xml": self = .xml
        case let type where type.hasSuffix("+xml"): self = .xml
        case let type where type.hasSuffix("+json"): self = .json
        default: return nil
        }
    }

    /// What a file is called in messages.
    package static func name(of path: String) -> String {
        PrintableText.escaped(path == "-" ? "standard input" : path, limit: 200)
    }

    /// What reads the objects of a file; those of a table that names no entity are of the one that the file is named
    /// after.
    ///
    /// - Throws: `InspectionError` for a format that needs a mapping.
    package func source(_ file: FileBlocks, path: String) throws -> any ImportSource {
        if self != .xml { try file.readText(as: nil) }
        switch self {
        case .json, .jsonl: return JSONObjectStream(file)
        case .csv:
            return CSVObjectStream(
                file, entity: path == "-" ? nil : URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent)
        case .xml:
            throw InspectionError(
                .badValue, subject: file.name, cause: "XML says of no element what object it is",
                hint: "give a mapping with --mapping")
        }
    }

    /// What reads the values at some places of a file, of a table all its lines.
    ///
    /// - Throws: `InspectionError` for an encoding that is unknown, or given for XML, which names its own.
    package func items(
        _ file: FileBlocks, at paths: [DocumentPath], namespaces: [String: String] = [:], encoding: String? = nil,
        delimiter: UInt8? = nil
    ) throws -> any DocumentItems {
        guard self != .xml else {
            guard encoding == nil else {
                throw InspectionError(
                    .badValue, subject: file.name, cause: "a document of XML names its encoding itself",
                    hint: "leave 'encoding' out of the mapping")
            }
            return try XMLItems(file, paths: paths, namespaces: namespaces)
        }
        try file.readText(as: encoding)
        return self == .csv ? try TableItems(file, at: paths, delimiter: delimiter) : JSONItems(file, paths: paths)
    }
}
