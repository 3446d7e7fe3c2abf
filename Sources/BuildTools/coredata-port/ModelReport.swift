import CoreDataSourcePorting

/// The models that classes with `@Model` in sources declare, as `coredata model` reads them.
struct ModelReport: Encodable {
    struct Finding: Encodable {
        let path: String
        let line: Int
        let column: Int
        let message: String
        let isOmission: Bool
    }

    struct Version: Encodable {
        let name: String
        /// The model as the text of an `.xcdatamodel`.
        let document: String
        let places: [String: PortReport.Finding]
    }

    /// Why nothing was done; nil if everything was.
    let failure: String?
    let sources: Int
    let versions: [Version]
    /// What a model does not have of the sources.
    let findings: [Finding]

    init(_ scan: ModelClassScan) {
        (failure, sources) = (nil, scan.count)
        findings = scan.findings.map { finding, isOmission in
            Finding(
                path: finding.file, line: finding.line, column: finding.column, message: finding.message,
                isOmission: isOmission)
        }
        versions = scan.versions.map { version in
            Version(
                name: version.name, document: version.document,
                places: version.places.mapValues(PortReport.Finding.init))
        }
    }

    init(failure error: any Error) {
        failure = type(of: error) is NSError.Type ? error.localizedDescription : String(describing: error)
        (sources, versions, findings) = (0, [], [])
    }
}
