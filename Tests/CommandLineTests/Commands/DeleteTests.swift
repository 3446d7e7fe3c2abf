import CoreData
import Testing

@Suite struct DeleteTests {
    @Test("Cascade deletes members too, Nullify keeps games, and the counts say so (TOOL-17)")
    func deleteRulesAreFollowed() throws {
        let club = try Club.filled()
        defer { club.remove() }
        #expect(try club.run("set", "Game/p1", "team=@null").code == 0)
        let outcome = try club.run("delete", "Team/p1")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(
            outcome.output == """
                deleted 4 objects
                ENTITY  CHOSEN  CASCADED
                ------  ------  --------
                Member       0         3
                Team         1         0

                """)
        #expect(try club.sql("SELECT COUNT(*) FROM ZPERSON") == "0")
        #expect(try club.sql("SELECT group_concat(ZTITLE) FROM ZTEAM") == "B")
        #expect(try club.sql("SELECT COUNT(*) FROM ZGAME") == "1")
    }

    @Test func nullifyTakesTheObjectOutOfItsRelationships() throws {
        let club = try Club.filled()
        defer { club.remove() }
        let outcome = try club.run("delete", "Member/p2", "Member/p2", "Game/p1", "--format", "json")
        let report: [String: Any] = try outcome.json()
        #expect(report["deleted"] as? Int == 2)
        let entities = try #require(report["entities"] as? [String: [String: Int]])
        #expect(entities == ["Game": ["chosen": 1, "cascaded": 0], "Member": ["chosen": 1, "cascaded": 0]])
        let team = try #require(try club.values("Team", of: "relationships").first)
        #expect((team["members"] as? [String])?.count == 2)
        #expect((team["games"] as? [String])?.count == 0)
        #expect(try club.sql("SELECT group_concat(ZNAME) FROM ZPERSON") == "Ann,Cid")
    }

    @Test func denyRefusesAndNothingIsDeleted() throws {
        let club = try Club.filled()
        defer { club.remove() }
        for mode in [[], ["--dry-run"]] {
            let outcome = try Tool.run(
                ["delete", club.store.path, "Team", "--all", "--model", club.package.path] + mode)
            expectRefusal(
                outcome,
                containing: "Team/p1: An object of entity 'Team' cannot be deleted: its relationship 'games' still has "
                    + "1 object. [1600]", "nothing was deleted")
        }
        #expect(try club.sql("SELECT (SELECT COUNT(*) FROM ZPERSON) || (SELECT COUNT(*) FROM ZTEAM)") == "32")
    }

    @Test func predicateOrderAndLimitChoose() throws {
        let club = try Club.filled()
        defer { club.remove() }
        let tried = try club.run("delete", "Member", "--where", "level > 1", "--dry-run")
        #expect(tried.output.hasPrefix("would delete 2 objects\n"))
        #expect(try club.sql("SELECT COUNT(*) FROM ZPERSON") == "3")
        #expect(try club.run("delete", "Member", "--all", "--sort", "-level", "--limit", "1").code == 0)
        #expect(try club.sql("SELECT group_concat(ZNAME) FROM ZPERSON") == "Ann,Bob")
        #expect(try club.run("delete", "Member", "--where", "name == 'nobody'").output == "deleted 0 objects\n")
        #expect(try club.run("delete", "Member", "--all").code == 0)
        #expect(try club.sql("SELECT COUNT(*) FROM ZPERSON") == "0")
    }

    @Test(arguments: [
        (["Member/p1", "Member/p99"], "Member/p99: there is no such object in the store"),
        (["Membr", "--all"], "did you mean 'Member'?"), (["Member", "--where", "nam == 1"], "did you mean 'name'?"),
        (["x-coredata://other/Member/p1"], "the address is of store other"),
    ])
    func whatIsRefusedDeletesNothing(arguments: [String], message: String) throws {
        let club = try Club.filled()
        defer { club.remove() }
        let outcome = try Tool.run(["delete", club.store.path, "--model", club.package.path] + arguments)
        expectRefusal(outcome, containing: message)
        #expect(try club.sql("SELECT COUNT(*) FROM ZPERSON") == "3")
    }

    @Test(
        arguments: ["set", "delete"],
        [
            (
                ["Member"],
                "the objects of 'Member' to change are not chosen (give --where FORMAT, or --all for all of them)"
            ),
            (["Member", "--limit", "2"], "the objects of 'Member' to change are not chosen"),
            (["Member", "--where", "x", "--all"], "--where and --all contradict each other"),
            (["Member/p1", "--where", "x"], "--where goes with an entity, not with the address of an object"),
            (["Member", "--all", "--limit", "x"], "--limit takes a whole number of at least 0"), ([], "is missing"),
        ])
    func choiceThatIsUnclearExitsWithTwo(command: String, choice: ([String], String)) throws {
        let (arguments, message) = choice
        let outcome = try Tool.run([command, "/none"] + arguments)
        #expect(outcome.code == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
}
