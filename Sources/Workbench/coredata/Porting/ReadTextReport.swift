import CoreDataWorkbench

/// The report on texts in sources that `coredata-port` prints.
struct ReadTextReport: Decodable, ProgramReport {
    /// A text for users, with the place of the call that looks it up.
    struct Text: Decodable {
        let key: String
        let text: String?
        let comment: String?
        let table: String?
        let file: String
        let line: Int
        let column: Int
    }

    /// Why the program did nothing; nil if it did everything.
    let failure: String?
    /// The number of Swift sources that were read.
    let sources: Int
    let texts: [Text]
    let findings: [ReadPortReport.Finding]
}
