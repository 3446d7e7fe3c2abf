import CoreDataModeling
import Testing

@Suite struct RuleTests {
    private static let options = ModelCheckOptions(classes: ["Hero"], transformers: ["ColorTransformer"])

    private func findings(_ body: String, _ head: String) -> [ModelFinding] {
        let opening = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#
        let text = "\(opening)\n<model \(head)>\n\(body)\n</model>\n"
        return ModelCheck.findings(source: Data(text.utf8), options: Self.options)
    }

    @Test(
        "a source that breaks a rule is reported at its line (MOD-08, MOD-09, MOD-11, MOD-13, MOD-23, MOD-24, MOD-28, TOOL-14)",
        arguments: RuleExample.all)
    func brokenRuleIsFoundAtItsLine(example: RuleExample) throws {
        let found = findings(example.broken, example.head).filter { $0.rule.identifier == example.rule }
        let finding = try #require(found.first)
        #expect(found.count == 1, "\(found.map(\.sentence))")
        #expect(finding.place?.line == example.line)
        #expect((finding.place?.column ?? 0) >= 1)
        #expect(finding.subject == example.subject)
    }

    @Test("a source that keeps a rule is not reported (TOOL-14)", arguments: RuleExample.all)
    func keptRuleIsNotFound(example: RuleExample) {
        let found = findings(example.kept, example.head).filter { $0.rule.identifier == example.rule }
        #expect(found.isEmpty, "\(found.map(\.sentence))")
        let errors = findings(example.kept, example.head).filter { $0.rule.severity == .error }
        #expect(errors.isEmpty, "\(errors.map(\.sentence))")
    }

    @Test func everyRuleOfSourcesHasAnExample() {
        let shown = Set(RuleExample.all.map(\.rule))
        // Sources say the one with a missing value, and the other is about packages of sources.
        let others: Set = ["relationship-without-destination", "unnamed-current-version"]
        #expect(
            ModelRuleCatalog.all.map(\.rule.identifier).filter { !shown.contains($0) && !others.contains($0) } == [])
    }

    @Test func rulesHaveDistinctNamesAndWholeSentences() {
        let rules = ModelRuleCatalog.all.map(\.rule)
        #expect(Set(rules.map(\.identifier)).count == rules.count)
        for rule in rules {
            #expect(
                rule.identifier.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") },
                "\(rule.identifier)")
            #expect(rule.statement.hasSuffix(".") && rule.remedy.hasSuffix("."), "\(rule.identifier)")
            #expect(ModelRuleCatalog.rule(rule.identifier) == rule)
        }
    }

    @Test func disabledRuleIsLeftOut() {
        let source = SourceText.model("<entity name=\"hero\"/>")
        let all = ModelCheck.findings(source: source).map(\.rule.identifier)
        #expect(all == ["entity-name-case", "entity-without-properties"])
        let some = ModelCheck.findings(source: source, options: .init(disabled: ["entity-name-case"]))
        #expect(some.map(\.rule.identifier) == ["entity-without-properties"])
    }

    @Test("everything that is wrong is found at once, in the order of the places (HAZ-46)")
    func everythingIsFoundAtOnce() {
        let source = SourceText.model(
            """
            <entity name="a b"/>
            <entity name="Hero" parentEntity="Zero">
            <attribute name="hash" attributeType="Strin"/>
            <attribute name="age" attributeType="Integer 16" defaultValueString="old" minValueString="?"/>
            <relationship name="power" maxCount="x" destinationEntity="Powr"/>
            </entity>
            <entity name="Power"/>
            <entity name="Power"/>
            """)
        let found = ModelCheck.findings(source: source).filter { $0.rule.severity == .error }
        let lines = found.map { "\($0.place?.line ?? 0) \($0.rule.identifier)" }
        #expect(
            lines == [
                "3 invalid-name", "4 unknown-parent", "5 unknown-attribute-type", "5 reserved-property-name",
                "7 malformed-value",
                "7 unknown-destination", "10 duplicate-entity",
            ])
        #expect(found.first { $0.rule.identifier == "unknown-destination" }?.hint == "did you mean 'Power'?")
    }

    @Test(
        "hostile names are shown as they are and harm nothing (HAZ-46)",
        arguments: [
            "$(rm)", "x\u{202E}y", "a\u{0}b".replacing("\u{0}", with: "\u{1}"), "'; DROP TABLE",
            String(repeating: "n", count: 5000), "🦸", "ヒーロー", "\u{301}",
        ])
    func hostileNames(name: String) {
        let written = name.replacing("\u{1}", with: "&#9;").replacing("'", with: "&apos;")
        let source = SourceText.model(
            "<entity name=\"\(written)\" parentEntity=\"\(written)\"><attribute name=\"\(written)\" attributeType=\"String\"/><relationship name=\"r\" destinationEntity=\"\(written)\" inverseName=\"\(written)\"/></entity>"
        )
        let found = ModelCheck.findings(source: source)
        #expect(found.contains { $0.rule.identifier == "inheritance-cycle" })
        #expect(found.contains { $0.rule.identifier == "invalid-name" } == (name != "ヒーロー"))
    }
}
