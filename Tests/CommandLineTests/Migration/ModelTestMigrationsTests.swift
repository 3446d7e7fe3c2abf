import CoreData
import Testing

/// `coredata model test-migrations`.
struct ModelTestMigrationsTests {
    private static func entity(_ body: String) -> String { "<entity name=\"Hero\">\(body)</entity>" }
    private static let name = #"<attribute name="name" attributeType="String" maxValueString="8"/>"#

    @Test("generated stores of each older version reach the current one along every path (MIG-21)")
    func allVersionsReachTheCurrentOne() throws {
        let models = try ModelFolder()
        defer { models.remove() }
        let package = try models.package(
            "Heroes.xcdatamodeld",
            ("Heroes 3", Self.entity(Self.name + #"<attribute name="age" optional="YES" attributeType="Double"/>"#)),
            ("Heroes", Self.entity(Self.name)),
            ("Heroes 2", Self.entity(Self.name + #"<attribute name="born" optional="YES" attributeType="Date"/>"#)))
        let before = try models.files("Heroes.xcdatamodeld/Heroes.xcdatamodel")
        let outcome = try Tool.run("model", "test-migrations", package, "--objects", "30")
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(
            outcome.output == """
                passed   Heroes -> Heroes 3  30 objects
                passed   Heroes -> Heroes 2 -> Heroes 3  30 objects
                passed   Heroes 2 -> Heroes 3  30 objects

                """)
        #expect(try models.files("Heroes.xcdatamodeld/Heroes.xcdatamodel") == before)
        let report: [String: Any] = try Tool.run(
            "model", "test-migrations", package, "--from", "Heroes 2", "--seed", "9", "--format", "json"
        ).json()
        #expect(report["result"] as? String == "passed")
        #expect(report["seed"] as? String == "9")
        let paths = try #require(report["paths"] as? [[String: Any]])
        #expect(paths.map { $0["path"] as? [String] } == [["Heroes 2", "Heroes 3"]])
        #expect(paths.map { $0["objects"] as? Int } == [200])
    }

    @Test("a version from which no path leads makes the command fail, with code and property (MIG-10)")
    func strandedVersionFails() throws {
        let models = try ModelFolder()
        defer { models.remove() }
        let package = try models.package(
            "Heroes.xcdatamodeld",
            ("Heroes 2", Self.entity(#"<attribute name="name" attributeType="Integer 64"/>"#)),
            ("Heroes", Self.entity(Self.name)))
        let outcome = try Tool.run("model", "test-migrations", package, "--objects", "10")
        #expect(outcome.code == 1)
        #expect(outcome.output.hasPrefix("refused  Heroes -> Heroes 2\n"), "\(outcome.output)")
        #expect(outcome.output.contains("attribute Hero.name"))
        #expect(outcome.output.contains("[134140]"))
        #expect(outcome.output.hasSuffix("no path leads from Heroes\n"))
    }

    @Test func rulesThatBecomeTighterAreWrong() throws {
        let models = try ModelFolder()
        defer { models.remove() }
        let tight = Self.name.replacing("8", with: "2")
        let package = try models.package(
            "Heroes.xcdatamodeld",
            ("Heroes 2", Self.entity(tight + #"<attribute name="age" optional="YES" attributeType="Double"/>"#)),
            ("Heroes", Self.entity(Self.name)))
        let outcome = try Tool.run("model", "test-migrations", package, "--objects", "10")
        #expect(outcome.code == 1)
        #expect(outcome.output.hasPrefix("wrong    Heroes -> Heroes 2  10 objects\n"), "\(outcome.output)")
        #expect(outcome.output.contains("Hero.name: "))
        #expect(outcome.output.contains("break a rule of the new version [1660]"))
    }

    @Test func badCommandLines() throws {
        let models = try ModelFolder()
        defer { models.remove() }
        let package = try models.package("Heroes.xcdatamodeld", ("Heroes", Self.entity(Self.name)))
        expectRefusal(try Tool.run("model", "test-migrations", package), containing: "no older version")
        let two = try models.package(
            "Two.xcdatamodeld", ("Two", Self.entity(Self.name)), ("One", Self.entity("")))
        expectRefusal(
            try Tool.run("model", "test-migrations", two, "--from", "Two"), containing: "no older version 'Two'",
            "'One'")
        #expect(try Tool.run("model", "test-migrations", two, "--objects", "many").code == 2)
    }
}
