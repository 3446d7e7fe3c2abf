import CoreDataWorkbench

/// The report on ignored errors that `coredata-port` prints.
struct ReadLintReport: Decodable, ProgramReport {
    /// Why the program did nothing; nil if it did everything.
    let failure: String?
    /// The number of Swift sources that were read.
    let sources: Int
    /// What was found, in the order of the sources.
    let findings: [ReadPortReport.Finding]

    /// The report as JSON.
    var json: JSONValue {
        .object([
            ("sources", .integer(Int64(sources))),
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
