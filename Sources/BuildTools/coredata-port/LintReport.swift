import CoreDataSourcePorting

/// What ignores errors in sources, as `coredata lint` reads it.
struct LintReport: Encodable {
    /// Why nothing was done; nil where all was.
    let failure: String?
    let sources: Int
    let findings: [PortReport.Finding]

    init(_ lint: SaveLint) {
        (failure, sources, findings) = (nil, lint.count, lint.findings.map(PortReport.Finding.init))
    }

    init(failure error: any Error) {
        failure = type(of: error) is NSError.Type ? error.localizedDescription : String(describing: error)
        (sources, findings) = (0, [])
    }
}
