import CoreDataModeling
import TestBasics
import Testing

@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct FixtureCheckTests {
    /// The errors that are right: a part of the path, the rule, and why.
    private static let justified: [(path: String, rule: String, reason: String)] = [
        ("ruby-xcdm/", "negative-count", "its tool writes -1 for no limit"),
        ("zeeql-contacts/", "predicate-unknown-key", "the attribute is called lastname"),
        ("freecoredata-example/", "unreadable-model", "a property list in XML, no compiled model"),
    ]

    private static let models: [String] =
        FixtureSupport.paths(endingIn: ".xcdatamodel")
        + FixtureSupport.paths(endingIn: ".mom")

    @Test("every model among the fixtures is checked without an error that is not justified (TOOL-14)")
    func fixturesHaveNoUnexpectedErrors() {
        #expect(Self.models.count > 150)
        var counts: [String: Int] = [:]
        for path in Self.models {
            for finding in ModelCheck.findings(at: Fixtures.url(path)).findings {
                counts[finding.rule.identifier, default: 0] += 1
                guard finding.rule.severity == .error else { continue }
                let isJustified = Self.justified.contains {
                    path.contains($0.path) && $0.rule == finding.rule.identifier
                }
                #expect(isJustified, "\(path): \(finding.rule.identifier): \(finding.sentence)")
            }
        }
        let table = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
        print("findings by rule over \(Self.models.count) models:\n" + table.joined(separator: "\n"))
        #expect(counts["missing-inverse", default: 0] > 0)
        #expect(counts["required-without-default", default: 0] > 0)
    }

    @Test("a model says the same of itself as a source and after it was read (TOOL-14)")
    func readModelsBreakTheRulesOfTheirSources() throws {
        // Only a source tells these.
        let ofSources: Set = ["to-many-of-one", "to-one-of-many", "inverse-entity", "unreadable-model"]
        for path in FixtureSupport.paths(endingIn: ".xcdatamodel") {
            let url = Fixtures.url(path)
            guard let model = try? NSManagedObjectModel(reading: url) else { continue }
            func rules(_ findings: [ModelFinding]) -> [String] {
                findings.filter { !$0.rule.identifier.hasPrefix("cloudkit") && !ofSources.contains($0.rule.identifier) }
                    .map { "\($0.rule.identifier) \($0.sentence)" }.sorted()
            }
            #expect(rules(ModelCheck.findings(at: url).findings) == rules(ModelCheck.findings(in: model)), "\(path)")
        }
    }
}
