import CoreDataModelEditing
import Testing

/// For each rule that can be repaired without a decision a source that breaks it.
struct RepairExample: Sendable, CustomTestStringConvertible {
    let rule: String
    let body: String

    init(_ rule: String, _ body: String) { (self.rule, self.body) = (rule, body) }

    var testDescription: String { rule }

    private static func hero(_ body: String, _ attributes: String = "") -> String {
        "<entity name=\"Hero\" \(attributes)>\n\(body)\n</entity>"
    }
    private static func attribute(_ type: String, _ more: String) -> String {
        hero("<attribute name=\"name\" optional=\"YES\" attributeType=\"\(type)\" \(more)/>")
    }
    /// Heroes with powers, whose relationships have these further attributes.
    private static func pair(_ there: String, _ back: String? = nil) -> String {
        hero(
            "<relationship name=\"powers\" optional=\"YES\" deletionRule=\"Nullify\" destinationEntity=\"Power\" \(there)/>"
        )
            + "<entity name=\"Power\">\n<attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>\n"
            + (back.map {
                "<relationship name=\"hero\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" "
                    + "destinationEntity=\"Hero\" \($0)/>"
            } ?? "") + "</entity>"
    }
    private static let name = #"<attribute name="name" optional="YES" attributeType="String"/>"#
    private static let inverse = "inverseName=\"hero\" inverseEntity=\"Power\""
    private static let back = "inverseName=\"powers\" inverseEntity=\"Hero\""

    static let all = [
        RepairExample("entity-name-case", "<entity name=\"hero\">\(name)</entity>"),
        RepairExample("property-name-case", hero(name.replacing("\"name\"", with: "\"Name\""))),
        RepairExample("unknown-parent", hero(name, "parentEntity=\"Person\"")),
        RepairExample("abstract-without-children", hero(name, "isAbstract=\"YES\"")),
        RepairExample("required-without-default", hero("<attribute name=\"name\" attributeType=\"String\"/>")),
        RepairExample("external-storage-type", attribute("String", "allowsExternalBinaryDataStorage=\"YES\"")),
        RepairExample(
            "transient-external-storage",
            attribute("Binary", "transient=\"YES\" allowsExternalBinaryDataStorage=\"YES\"")),
        RepairExample("default-breaks-rule", attribute("Integer 16", "maxValueString=\"3\" defaultValueString=\"5\"")),
        RepairExample("limit-on-type", attribute("Boolean", "minValueString=\"1\"")),
        RepairExample("minimum-above-maximum", attribute("Integer 16", "minValueString=\"9\" maxValueString=\"3\"")),
        RepairExample("minimum-above-maximum", attribute("String", "minValueString=\"9\" maxValueString=\"3\"")),
        RepairExample("negative-length", attribute("String", "minValueString=\"-1\"")),
        RepairExample("transformer-on-type", attribute("String", "valueTransformerName=\"T\"")),
        RepairExample("insecure-transformer", attribute("Transformable", "")),
        RepairExample(
            "minimum-count-above-maximum", pair("toMany=\"YES\" minCount=\"7\" maxCount=\"3\" \(inverse)", back)),
        RepairExample("negative-count", pair("toMany=\"YES\" minCount=\"-2\" \(inverse)", back)),
        RepairExample("ordered-to-one", pair("maxCount=\"1\" ordered=\"YES\" \(inverse)", back)),
        RepairExample(
            "no-action-delete-rule",
            pair("toMany=\"YES\" \(inverse)", back).replacing("Nullify", with: "No Action")),
        RepairExample("unknown-inverse", pair("toMany=\"YES\" inverseName=\"boss\" inverseEntity=\"Power\"", "")),
        RepairExample("inverse-not-mutual", pair("toMany=\"YES\" \(inverse)", "")),
        RepairExample("inverse-entity", pair("toMany=\"YES\" inverseName=\"hero\" inverseEntity=\"Hero\"", back)),
        RepairExample("missing-inverse", pair("toMany=\"YES\"")),
        RepairExample("missing-inverse", pair("toMany=\"YES\"", "")),
    ]
}

@Suite struct ModelRepairTests {
    private static func document(_ body: String) throws -> ModelDocument {
        try EditedSource.document("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<model>\n\(body)\n</model>\n")
    }

    @Test(
        "what a check finds is repaired by the edits that are offered, and nothing else breaks (TOOL-14)",
        arguments: RepairExample.all)
    func offeredEditsRepairWhatCheckFinds(example: RepairExample) throws {
        let document = try Self.document(example.body)
        let before = ModelCheck.findings(in: document)
        let finding = try #require(before.first { $0.rule.identifier == example.rule }, "\(before.map(\.sentence))")
        let edits = try #require(ModelRepair.edits(for: finding, in: document))
        // What is no model before need not be one on the way.
        var editor = ModelEditor(document)
        for edit in edits { try editor.apply(edit) }
        let after = ModelCheck.findings(in: editor.document)
        #expect(!after.contains { $0.rule == finding.rule && $0.subject == finding.subject }, "\(edits)")
        let known = Set(before.map(\.rule.identifier))
        let worse = after.filter { $0.rule.severity == .error && !known.contains($0.rule.identifier) }
        #expect(worse.isEmpty, "\(worse.map(\.sentence))")
        #expect(try edits == ModelEdit.edits(in: edits.map(\.description).joined(separator: "\n")))
    }

    @Test func whatHasToBeDecidedIsNotOffered() throws {
        let document = try Self.document(
            "<entity name=\"Hero\"><attribute name=\"x\" attributeType=\"Nonsense\"/></entity>")
        let findings = ModelCheck.findings(in: document)
        #expect(!findings.isEmpty)
        let offered = findings.filter { ModelRepair.edits(for: $0, in: document) != nil }.map(\.rule.identifier)
        #expect(Set(offered).isSubset(of: ["required-without-default"]), "\(offered)")
    }
}
