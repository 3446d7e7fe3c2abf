import CoreDataModeling
import TestBasics
import Testing

/// What is refused on reading, and what a check calls an error.
@Suite struct RefusalTests {
    @Test("a source that is refused has an error at the line of the refusal (HAZ-46)", arguments: RuleExample.all)
    func refusalIsAnErrorOfTheCheck(example: RuleExample) {
        let source = SourceText.model(example.broken)
        guard let refusal = SourceText.error(source) else { return }
        let errors = ModelCheck.findings(source: source).filter { $0.rule.severity == .error }
        #expect(errors.contains { $0.place?.line == refusal.line && refusal.cause.contains($0.message) }, "\(refusal)")
    }

    @Test(
        "what Apple's compiler refuses is refused on reading (MOD-09, MOD-13, MOD-24)",
        arguments: [
            "invalid-name", "duplicate-entity", "duplicate-property", "reserved-property-name", "unknown-parent",
            "inheritance-cycle", "inherited-property", "attribute-without-type", "unknown-destination",
            "unknown-inverse", "inverse-leads-elsewhere", "configuration-unknown-entity",
            "constraint-unknown-property", "index-unknown-property",
        ])
    func errorIsRefused(rule: String) throws {
        let example = try #require(RuleExample.all.first { $0.rule == rule })
        #expect(SourceText.error(example.broken) != nil)
    }

    @Test(
        "warnings and notes do not keep a model from being read (MOD-28, MOD-08)",
        arguments: RuleExample.all.filter { ModelRuleCatalog.rule($0.rule)?.severity != .error })
    func warningIsNotRefused(example: RuleExample) {
        #expect(SourceText.error(example.broken) == nil)
    }

    @Test(
        "of a source with changed bytes every refusal is a finding, and nothing traps (HAZ-47)",
        .enabled(if: Fixtures.areAvailable))
    func changedBytes() throws {
        let path =
            "models/swiftgen-fixture/Sources/TestUtils/Fixtures/Resources/CoreData/Model.xcdatamodeld/Model 2.xcdatamodel/contents"
        let data = try Data(contentsOf: Fixtures.url(path))
        var refused = 0
        for index in stride(from: 0, to: data.count, by: 29) {
            for value in [0x00, 0x3C, 0x22, data[index] ^ 0x02] as [UInt8] {
                var changed = data
                changed[index] = value
                let findings = ModelCheck.findings(source: changed)
                guard let refusal = SourceText.error(changed) else { continue }
                refused += 1
                #expect(
                    findings.contains { $0.rule.severity == .error && $0.place?.line == refusal.line },
                    "\(index): \(refusal)")
            }
        }
        #expect(refused > 200)
    }

    @Test("a model made in code that contradicts itself is reported (TOOL-14)")
    func modelInCode() {
        let model = NSManagedObjectModel()
        let hero = NSEntityDescription()
        hero.name = "Hero"
        let lost = NSRelationshipDescription()
        lost.name = "lost"
        let untyped = NSAttributeDescription()
        untyped.name = "untyped"
        hero.properties = [lost, untyped]
        model.entities = [hero]
        let rules = ModelCheck.findings(in: model).map { "\($0.subject ?? ""): \($0.rule.identifier)" }
        #expect(
            rules == [
                "Hero.untyped: attribute-without-type", "Hero.lost: relationship-without-destination",
                "Hero.lost: missing-inverse",
            ])
    }

    @Test(
        "patterns that need forever, and defaults that do not compare, harm no check (HAZ-53)", .timeLimit(.minutes(20))
    )
    func hostileLimits() {
        let pattern = "regularExpressionString=\"(a+)+$\" defaultValueString=\"\(String(repeating: "a", count: 60))!\""
        let attributes = (0..<100).map { "<attribute name=\"a\($0)\" attributeType=\"String\" \(pattern)/>" }
        let found = ModelCheck.findings(
            source: SourceText.model("<entity name=\"Hero\">\(attributes.joined())</entity>"))
        #expect(found.count { $0.rule.identifier == "default-breaks-rule" } == 0)
        let age = NSAttributeDescription()
        age.name = "age"
        age.attributeType = .integer16AttributeType
        let limits: [ValidationRule.Check] = [
            .minimum(1), .earliest(.distantFuture), .minimumLength(3), .maximumLength(.min), .pattern("("),
            .pattern("a"),
            .predicate(format: "SELF.nothing == 1"), .maximum(Decimal.nan),
        ]
        age.validationRules = limits.map { ValidationRule($0) }
        let hero = NSEntityDescription()
        hero.name = "Hero"
        hero.properties = [age]
        let model = NSManagedObjectModel()
        model.entities = [hero]
        for value in ["text", Date(), Data([1]), NSNull(), Double.nan, [1], UUID()] as [Any] {
            age.defaultValue = value
            let rules = ModelCheck.findings(in: model).map(\.rule.identifier)
            #expect(rules.contains("invalid-pattern") && rules.contains("negative-length"))
        }
    }

    @Test("ten thousand entities that all break rules are checked (HAZ-46)", .timeLimit(.minutes(20)))
    func tenThousandEntities() {
        let entities = (0..<10_000).map { number in
            """
            <entity name="E\(number)"\(number % 10 == 0 ? "" : " parentEntity=\"E\(number - 1)\"")>
            <attribute name="a\(number)" attributeType="String" minValueString="3" defaultValueString="ab"/>
            <relationship name="r\(number)" destinationEntity="F\(number)" inverseName="s"/>
            </entity>
            <fetchRequest name="q\(number)" entity="E\(number)" predicateString="wrong == 1"/>
            """
        }
        let found = ModelCheck.findings(source: SourceText.model(entities.joined(separator: "\n")))
        for rule in ["default-breaks-rule", "unknown-destination", "predicate-unknown-key"] {
            #expect(found.count { $0.rule.identifier == rule } == 10_000)
        }
    }
}
