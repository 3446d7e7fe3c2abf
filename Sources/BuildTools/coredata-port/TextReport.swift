import CoreDataSourcePorting

/// The texts for users in sources, as `coredata strings` reads them.
struct TextReport: Encodable {
    /// Why nothing was done; nil where all was.
    let failure: String?
    let sources: Int
    let texts: [SourceText]
    let findings: [PortReport.Finding]

    init(_ scan: TextScan) {
        (failure, sources, texts) = (nil, scan.count, scan.texts)
        findings = scan.findings.map(PortReport.Finding.init)
    }

    init(failure error: any Error) {
        failure = type(of: error) is NSError.Type ? error.localizedDescription : String(describing: error)
        (sources, texts, findings) = (0, [], [])
    }
}
