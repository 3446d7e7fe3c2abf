import CoreData
import CoreDataModelEditing

extension EditedModel {
    /// The findings of a check: `{"revision", "findings"}`. A finding is `{"rule", "severity", "item", "sentence",
    /// "remedy", "line", "repair"}`; `repair` has the edits that repair it, if the user has nothing to decide.
    ///
    /// The check runs without the lock of the versions, so edits do not wait for it: in a large model it takes longer
    /// than an edit.
    func findingReport(_ version: String?) throws -> JSONValue {
        let (state, name) = try with(version) { ($0, $1) }
        let found = state.knownFindings ?? EditedVersion.check(state.document)
        try with(name) { present, _ in present.keep(found, of: state.revision) }
        return state.report(found)
    }
}

extension EditedVersion {
    fileprivate func report(_ found: [ModelFinding]) -> JSONValue {
        .object([("revision", .count(revision)), ("findings", .array(found.map { json($0) }))])
    }

    private func json(_ finding: ModelFinding) -> JSONValue {
        let edits = ModelRepair.edits(for: finding, in: document)
        return .object([
            ("rule", .string(finding.rule.identifier)), ("severity", .string(finding.rule.severity.rawValue)),
            ("item", .text(finding.subject)), ("sentence", .string(finding.sentence)),
            ("remedy", .string(finding.hint ?? finding.rule.remedy)), ("line", .count(finding.place?.line)),
            ("repair", edits.map { .array($0.map { .string("\($0)") }) } ?? .null),
        ])
    }
}
