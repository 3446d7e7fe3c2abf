import CoreData
import Testing

@Suite struct CountTests {
    @Test("objects are counted, and none is printed (TOOL-16)")
    func countIsOneNumber() throws {
        let club = try Club.filled()
        defer { club.remove() }
        #expect(try club.run("fetch", "Person", "--count").output == "3\n")
        #expect(try club.run("fetch", "Member", "--count", "--where", "level > 1").output == "2\n")
        #expect(try club.run("fetch", "Member", "--count", "--where", "level > 1", "--limit", "1").output == "1\n")
        #expect(
            try club.run("fetch", "Member", "--count", "--where", "level > 9", "--format", "json").output
                == "{\"count\":0}\n")
        #expect(try club.run("fetch", "Member", "--count", "--format", "csv").output == "count\r\n3\r\n")
    }

    @Test("groups come with the most frequent value first, nil among them (TOOL-16)")
    func groupsAreCountedByValue() throws {
        let club = try Club.filled()
        defer { club.remove() }
        let inserted = try club.run(
            "insert", "--json",
            #"[{"entity": "Member", "attributes": {"name": "Dot, \"D\"", "level": 3}}, {"entity": "Member", "attributes": {"name": "Eve"}}]"#
        )
        try #require(inserted.code == 0, "\(inserted.errors)")
        let table = try club.run("fetch", "Member", "--group", "level").output
        #expect(
            table.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") } == [
                "COUNT level", "----- -----", "2 1", "2 3", "1 5",
            ], "\(table)")
        let csv = try club.run(
            "fetch", "Member", "--group", "team.title,level", "--format", "csv", "--where", "level < 5")
        #expect(csv.output == "team.title,level,count\r\n,1,1\r\n,3,1\r\nA,1,1\r\nA,3,1\r\n")
        let first = try club.run(
            "fetch", "Member", "--group", "level", "--limit", "1", "--offset", "1", "--format", "csv")
        #expect(first.output == "level,count\r\n3,2\r\n")
    }

    @Test func groupsOfARelationshipAreAddresses() throws {
        let club = try Club.filled()
        defer { club.remove() }
        let outcome = try club.run("fetch", "Member", "--group", "team", "--format", "json")
        let groups: [[String: Any]] = try outcome.json()
        #expect(groups.count == 1)
        #expect(groups.first?["count"] as? Int == 3)
        #expect((groups.first?["team"] as? String)?.hasPrefix("x-coredata://\(club.uuid)/Team/p") == true)
    }

    @Test func whatMakesNoGroupsIsRefused() throws {
        let club = try Club.filled()
        defer { club.remove() }
        for key in ["tags", "unsaved", "objectID"] {
            expectRefusal(try club.run("fetch", "Member", "--group", key), containing: key, "groups")
        }
        expectRefusal(try club.run("fetch", "Team", "--group", "members"), containing: "groups")
        expectRefusal(try club.run("fetch", "Member", "--group", "levl"), containing: "did you mean 'level'?")
        expectRefusal(try club.run("fetch", "Member", "--count", "--where", "levl == 1"), containing: "'level'")
    }

    @Test(arguments: [
        ["--count", "--group", "level"], ["--count", "--keys", "level"], ["--count", "--sort", "level"],
        ["--group", "level", "--keys", "level"], ["--group", ","], ["--raw", "--where", "level == 1"],
        ["--raw", "--keys", "level"],
    ])
    func optionsThatContradictEachOtherAreAWrongCommandLine(options: [String]) throws {
        let outcome = try Tool.run(["fetch", "x", "Member"] + options)
        // What names no key is found when the store is open.
        #expect(outcome.code == (options.contains(",") ? 1 : 2))
        #expect(outcome.output == "")
    }
}
