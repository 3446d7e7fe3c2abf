import CoreDataWorkbench

/// What `coredata-port` found and did.
struct ReadPortReport: Decodable {
    struct File: Decodable {
        let path: String
        /// What changes, as `diff -u` prints it.
        let difference: String
    }

    struct Finding: Decodable {
        let path: String
        /// Counted from 1; 0 for a finding about the complete file.
        let line: Int
        /// In bytes of UTF-8, counted from 1; 0 for a finding about the complete file.
        let column: Int
        let message: String

        /// `File.swift:3:14`, or the file alone.
        var place: String { line == 0 ? path : "\(path):\(line):\(column)" }
    }

    /// Why nothing, or not everything, was done; nil where all was.
    let failure: String?
    /// How many Swift sources were looked at.
    let sources: Int
    /// The files that change.
    let files: [File]
    /// What was decided without leaving anything to do, a line a file.
    let notes: [Finding]
    /// What is left to do by hand, by file and place.
    let findings: [Finding]

    /// The report for programs.
    var json: JSONValue {
        .object([
            ("sources", .integer(Int64(sources))),
            ("files", .array(files.map { .object([("path", .string($0.path)), ("diff", .string($0.difference))]) })),
            ("notes", .array(notes.map { .object([("path", .string($0.path)), ("message", .string($0.message))]) })),
            (
                "findings",
                .array(
                    findings.map {
                        .object([
                            ("path", .string($0.path)), ("line", .integer(Int64($0.line))),
                            ("column", .integer(Int64($0.column))), ("message", .string($0.message)),
                        ])
                    })
            ),
        ])
    }
}
