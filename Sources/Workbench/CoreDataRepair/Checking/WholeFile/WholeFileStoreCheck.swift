import CoreData

/// Checks an atomic store (XML, binary) by loading its whole file; reports a file that cannot be read to its end.
struct WholeFileStoreCheck {
    private let check: StoreCheck

    static let missingIdentity = StoreFinding(
        .missingIdentity, "The store has no identity, or one that is not a UUID.", remedy: "It gets a new identity.")

    init(_ check: StoreCheck) { self.check = check }

    /// - Throws: `InspectionError`: `unreadable` for a file that is not a store, `modelMismatch` if the given model is
    ///   not the model of the store.
    func run() throws -> StoreCheckReport {
        var report = StoreCheckReport(url: check.url, findings: FindingList(limit: check.limit))
        let facts = try StoreFacts(at: check.url)
        if facts.uuid == nil {
            report.findings.add(Self.missingIdentity)
        }
        guard let model = try Self.model(check, facts) else {
            report.remarks.append(
                "The store keeps no model, so its records are not looked at; give the one it was made with: --model PATH."
            )
            return report
        }
        var findings = report.findings
        do {
            let reading = try WholeFileReading(facts, model: model, isReadOnly: true) { findings.add($0.finding) }
            defer { reading.close() }
            try reading.findBrokenRules { findings.add($0) }
        } catch let error as NSError where error.code == NSFileReadCorruptFileError {
            let reason = error.userInfo[NSLocalizedFailureReasonErrorKey] as? String ?? error.localizedDescription
            findings.add(
                StoreFinding(
                    .damagedFile,
                    "The file cannot be read to its end: \(PrintableText.escaped(reason, limit: 300))."))
        } catch {
            throw InspectionError.unreadable(check.url, error)
        }
        report.findings = findings
        return report
    }

    /// The model that the caller gave with the check; nil if none was given.
    ///
    /// - Throws: `InspectionError`, also for a model that does not match the store.
    static func model(_ check: StoreCheck, _ facts: StoreFacts) throws -> StoreModel? {
        guard let path = check.model else { return nil }
        let model = try StoreModel.given(path, for: facts)
        if let mismatch = model.mismatch { throw mismatch }
        return model
    }
}
