import CoreData
import CoreDataModelEditing

extension EditedVersion {
    /// What a check finds: `{"revision", "findings"}`; a finding is `{"rule", "severity", "item", "sentence", "remedy", "line",
    /// "mend"}`, with the edits that mend it where nothing has to be decided.
    mutating func findingReport() -> JSONValue {
        let found = findings()
        return .object([
            ("revision", .count(revision)), ("findings", .array(found.map { json($0) })),
        ])
    }

    private func json(_ finding: ModelFinding) -> JSONValue {
        let edits = ModelMend.edits(for: finding, in: document)
        return .object([
            ("rule", .string(finding.rule.identifier)), ("severity", .string(finding.rule.severity.rawValue)),
            ("item", .text(finding.subject)), ("sentence", .string(finding.sentence)),
            ("remedy", .string(finding.hint ?? finding.rule.remedy)), ("line", .count(finding.place?.line)),
            ("mend", edits.map { .array($0.map { .string("\($0)") }) } ?? .null),
        ])
    }
}
