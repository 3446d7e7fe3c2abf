import CoreData
import CoreDataModelEditing

extension EditedModel {
    /// What a check finds: `{"revision", "findings"}`; a finding is `{"rule", "severity", "item", "sentence", "remedy", "line",
    /// "repair"}`, with the edits that repair it where nothing has to be decided.
    ///
    /// Edits do not wait for it: of a large model a check takes longer than a step.
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
