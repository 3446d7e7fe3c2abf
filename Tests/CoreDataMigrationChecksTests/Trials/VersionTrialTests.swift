import CoreData
import CoreDataMigrationChecks
import SQLiteKit
import StoreContract
import Testing

/// Generated stores that are migrated from version to version.
@Suite struct VersionTrialTests {
    private static func version(
        _ name: String, _ change: (ModelBuilder) -> Void = { _ in }
    ) -> VersionTrial.Version {
        let builder = ModelBuilder()
        builder.entity("Hero", ["name": .stringAttributeType, "age": .integer32AttributeType])
        builder.entity("Power", ["title": .stringAttributeType])
        builder.relationships("Hero.powers*", "Power.hero")
        change(builder)
        return VersionTrial.Version(name: name, model: builder.model)
    }

    private static let versions = [
        version("1"),
        version("2") { $0.entity("City", ["name": .stringAttributeType]) },
        version("3") { builder in
            builder.entity("City", ["name": .stringAttributeType])
            builder.attribute("Hero.name").name = "title"
            builder.attribute("Hero.title").renamingIdentifier = "name"
        },
    ]

    private static func outcomes(
        _ versions: [VersionTrial.Version] = versions, current: Int = 2, from: Set<String>? = nil,
        step: @escaping VersionTrial.Step = VersionTrial.opening
    ) throws -> [VersionTrial.Outcome] {
        var outcomes: [VersionTrial.Outcome] = []
        try VersionTrial(versions, current: current, objects: 60, seed: 1, step: step)
            .run(from: from) { outcomes.append($0) }
        return outcomes
    }

    private static func text(_ outcome: VersionTrial.Outcome) -> String {
        switch outcome.result {
        case .passed: "passed"
        case .refused(let code, _, let step): "refused \(code) at \(step)"
        case .wrong(let differences, let step): "wrong at \(step): \(differences.joined(separator: "; "))"
        }
    }

    @Test("each older version is migrated at once and through its neighbours (MIG-15)")
    func allPathsAreTried() throws {
        let outcomes = try Self.outcomes()
        #expect(outcomes.map(\.path) == [["1", "3"], ["1", "2", "3"], ["2", "3"]])
        #expect(outcomes.map(Self.text) == ["passed", "passed", "passed"])
        #expect(outcomes.allSatisfy { $0.objects >= 55 })
        #expect(try Self.outcomes(from: ["2"]).map(\.path) == [["2", "3"]])
    }

    @Test("newer versions are migrated back to the current one (MIG-16)")
    func newerVersionsGoBack() throws {
        let outcomes = try Self.outcomes(current: 0)
        #expect(outcomes.map(\.path) == [["2", "1"], ["3", "1"]])
        #expect(outcomes.map(Self.text) == ["passed", "passed"])
    }

    @Test("a migration that loses or changes values is found out, with entity and property (MIG-21)")
    func wrongMigrationsAreFoundOut() throws {
        let outcomes = try Self.outcomes(from: ["1"]) { url, from, to in
            let exact = try VersionTrial.opening(url, from: from, to: to)
            let connection = try Connection.open(url.path)
            defer { connection.close() }
            if to.name == "3" { try connection.execute("UPDATE ZHERO SET ZTITLE = lower(ZTITLE) || '!'") }
            if to.name == "2" { try connection.execute("UPDATE ZPOWER SET ZHERO = NULL WHERE Z_PK < 20") }
            return exact
        }
        try #require(outcomes.count == 2)
        let values = Self.text(outcomes[0])
        #expect(values.hasPrefix("wrong at 1 -> 3: attribute Hero.title, renamed from name: other values"))
        let links = Self.text(outcomes[1])
        #expect(links.hasPrefix("wrong at 1 -> 2: relationship Hero.powers: "))
        #expect(links.contains("; relationship Power.hero: "))
        #expect(!links.contains("Hero.name"))
    }

    @Test("a step that cannot be inferred is an outcome with its code (MIG-10)")
    func refusalsAreOutcomes() throws {
        let retyped = Self.version("2") { $0.attribute("Hero.age").attributeType = .stringAttributeType }
        let outcomes = try Self.outcomes([Self.versions[0], retyped], current: 1)
        #expect(outcomes.map(Self.text) == ["refused 134140 at 1 -> 2"])
        guard case .refused(_, let reason, _) = outcomes[0].result else { return }
        #expect(reason.contains("attribute Hero.age"))
        #expect(!reason.contains("/"), "\(reason)")
    }

    @Test func rulesOfTheNewVersionAreChecked() throws {
        let strict = Self.version("2") { builder in
            builder.attribute("Hero.age").setValidationPredicates(
                [NSPredicate(format: "SELF < 0")], withValidationWarnings: ["not young enough"])
            builder.attribute("Hero.name").versionHashModifier = "2"
        }
        let outcomes = try Self.outcomes([Self.versions[0], strict], current: 1)
        #expect(Self.text(outcomes[0]).contains("Hero.age: "), "\(Self.text(outcomes[0]))")
        #expect(Self.text(outcomes[0]).contains("break a rule of the new version"))
    }
}
