import CoreDataWorkbench

/// The report that `coredata-port` prints.
struct ReadPortReport: Decodable, ProgramReport {
    struct File: Decodable {
        let path: String
        /// The change in the format of `diff -u`.
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

    /// Why the program did nothing, or not everything; nil if it did everything.
    let failure: String?
    /// The number of Swift sources that were read.
    let sources: Int
    /// The files that change.
    let files: [File]
    /// The decisions that leave nothing to do, one for each file.
    let notes: [Finding]
    /// What is left to do by hand, sorted by file and position.
    let findings: [Finding]

    /// The report as JSON.
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
