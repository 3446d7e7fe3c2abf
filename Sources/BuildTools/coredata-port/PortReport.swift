import CoreDataSourcePorting

/// What was found and done, as `coredata port` reads it (`ReadPortReport`).
struct PortReport: Encodable {
    struct File: Encodable {
        let path: String
        let difference: String
    }

    struct Finding: Encodable {
        let path: String
        let line: Int
        let column: Int
        let message: String

        init(_ finding: PortFinding) {
            (path, line, column, message) = (finding.file, finding.line, finding.column, finding.message)
        }
    }

    /// Why nothing, or not everything, was done; nil where all was.
    let failure: String?
    let sources: Int
    let files: [File]
    let notes: [Finding]
    let findings: [Finding]

    init(_ port: SourcePort) {
        failure = nil
        sources = port.count
        files = port.files.map { File(path: $0.path, difference: $0.difference) }
        notes = port.notes.map(Finding.init)
        findings = port.findings.map(Finding.init)
    }

    init(failure error: any Error) {
        failure = type(of: error) is NSError.Type ? error.localizedDescription : String(describing: error)
        sources = 0
        files = []
        notes = []
        findings = []
    }
}
