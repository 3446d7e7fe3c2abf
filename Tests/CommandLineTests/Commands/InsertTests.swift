import CoreData
import Testing

@Suite struct InsertTests {
    @Test("an object is inserted with the values given and the model's defaults (TOOL-17)")
    func valuesAndDefaultsAreSaved() throws {
        let club = try Club()
        defer { club.remove() }
        let outcome = try club.run("insert", "Member", "name=Ann = A", "joined=2024-02-29", "tags=[\"a\", {\"b\": 1}]")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output == "x-coredata://\(club.uuid)/Member/p1\n")
        #expect(outcome.errors == "")
        let member = try #require(try club.values("Member").first)
        #expect(member["name"] as? String == "Ann = A")
        #expect(member["joined"] as? String == "2024-02-29T00:00:00.000Z")
        #expect(member["level"] as? Int == 1)
        #expect(NSArray(array: member["tags"] as? [Any] ?? []) == NSArray(array: ["a", ["b": 1]]))
        #expect(member["code"] is NSNull)
        #expect(try club.sql("SELECT COUNT(*) FROM ZPERSON WHERE ZNAME = 'Ann = A' AND ZLEVEL = 1") == "1")
        #expect(try club.sql("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person'") == "1")
    }

    @Test func jsonHasAllTypesInTheFormsThatFetchPrints() throws {
        let library = try Library()
        defer { library.remove() }
        let json = """
            {"title": "x\\u00e9\\ud83d\\ude00", "pages": -3, "price": "12345678.25", "isRead": true, "link": "https://a.b/c",
             "isbn": "00000000-0000-0000-0000-000000000001", "cover": "AQID", "rating": 1e-3, "weight": 0.5,
             "number": 9223372036854775807, "tags": ["a", 1.5, null, {"b": false}], "author": "Author/p1"}
            """
        let outcome = try Tool.run(["insert", library.store.path, "Book", "--json", json] + library.model)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let address = outcome.output.trimmingCharacters(in: .newlines)
        let object: [String: Any] = try Tool.run(
            ["get", library.store.path, address, "--format", "json"] + library.model
        ).json()
        let values = try #require(object["attributes"] as? [String: Any])
        let given: [String: Any] = [
            "title": "xé😀", "pages": -3, "price": "12345678.25", "isRead": true, "link": "https://a.b/c",
            "isbn": "00000000-0000-0000-0000-000000000001", "cover": "AQID", "rating": 0.001, "weight": 0.5,
            "number": Int64.max, "tags": ["a", 1.5, NSNull(), ["b": false]] as [Any],
        ]
        #expect(NSDictionary(dictionary: values) == NSDictionary(dictionary: given))
        #expect(
            (object["relationships"] as? [String: Any])?["author"] as? String
                == "x-coredata://\(library.uuid)/Author/p1")
    }

    @Test("objects of one input name each other, in any order (TOOL-17)")
    func objectsOfOneInputNameEachOther() throws {
        let club = try Club()
        defer { club.remove() }
        // One object after another rather than an array, with the members before and after their team.
        let input = """
            {"objectID": "m1", "entity": "Member", "attributes": {"name": "Ann"}, "relationships": {"team": "t"}}
            {"objectID": "t", "entity": "Team", "attributes": {"title": "A", "size": 99},
             "relationships": {"members": ["m2", "m1"], "games": null}}
            {"objectID": "m2", "entity": "Member", "attributes": {"name": "Bob", "unsaved": "x"}}
            """
        let outcome = try club.run("insert", "--json-file", "-", "--format", "json", input: input)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let inserted: [[String: Any]] = try outcome.json()
        #expect(inserted.map { $0["from"] as? String } == ["m1", "t", "m2"])
        #expect(inserted.map { $0["entity"] as? String } == ["Member", "Team", "Member"])
        let addresses = inserted.compactMap { $0["objectID"] as? String }
        let team = try #require(try club.values("Team", of: "relationships").first)
        #expect(team["members"] as? [String] == [addresses[2], addresses[0]])
        // A derived value that is printed is not taken over but made anew.
        #expect(try club.values("Team").first?["size"] as? Int == 2)
        #expect(try club.sql("SELECT COUNT(*) FROM ZPERSON WHERE ZTEAM = (SELECT Z_PK FROM ZTEAM)") == "2")
    }

    @Test func wordsGoBeforeWhatJSONSays() throws {
        let club = try Club()
        defer { club.remove() }
        let outcome = try club.run(
            "insert", "Member", "level=7", "--json", #"[{"name": "Ann", "level": 2}, {"name": "Bob"}]"#)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try club.values("Member").map { $0["level"] as? Int } == [7, 7])
    }

    @Test func dryRunChecksAndChangesNothing() throws {
        let club = try Club()
        defer { club.remove() }
        let before = try FolderState(around: club.store)
        let tried = try club.run("insert", "Member", "name=Ann", "--dry-run")
        #expect(tried.code == 0, "\(tried.errors)")
        #expect(tried.output == "would insert 1 object of entity Member\n")
        expectRefusal(
            try club.run("insert", "Member", "level=3", "--dry-run"),
            containing: "not saved: 'name' of entity 'Member' is required and has no value. [1570]")
        #expect(try FolderState(around: club.store) == before)
    }

    @Test(arguments: [
        (["Member"], "not saved: 'name' of entity 'Member' is required and has no value. [1570]"),
        (
            ["Member", "name=A name of more than twenty letters"],
            "is longer than the model allows (at most 20 characters). "
                + "It has 34 characters: 'A name of more than twenty letters'. [1660]"
        ),
        (
            ["Member", "name=x", "level=10"],
            "'level' of entity 'Member' is greater than the model allows (at most 9). The value is 10. [1610]"
        ),
        (
            ["Person", "name=x"],
            "Person: the entity is abstract, so it has no objects of its own (insert one of: Member)"
        ),
        (["Membr", "name=x"], "did you mean 'Member'?"), (["Member", "nam=x"], "did you mean 'name'?"),
        (["Team", "title=x", "size=3"], "size: the property is derived and cannot be set"),
        (["Member", "name=x", "unsaved=3"], "unsaved: the property is not stored and cannot be set"),
        (["Member", "name=x", "name=y"], "the key is named twice"),
        (["Member", "name=x", "team=Team/p77"], "team: Team/p77: there is no such object"),
        (["Member", "name=x", "joined=29.2.2024"], "joined: the text is not a value of type Date (a date such as"),
        (["Member", "--json", #"{"name": "x", "joined": 12}"#], "joined: the JSON is not a value of type Date"),
        (["Member", "--json", #"{"name": 7}"#], "name: the JSON is not a value of type String (a text in quotes)"),
        (
            ["Member", "--json", #"[{"name": "x"}, {"nmae": "y"}]"#],
            "object 2 of 2: nmae: entity 'Member' has no property"
        ),
        (["Member", "--json", #"[{"name": "x"}, {"level": 2}]"#], "not saved: object 2: 'name' of entity 'Member' is"),
        (["Member", "--json", #"[{"name": "x", "code": "1"}, {"name": "y", "code": "1"}]"#], "[133021]"),
        (["Team", "--json", #"{"title": "x", "members": "Member/p1"}"#], "the JSON is not a list of addresses"),
        (["Team", "--json", #"{"title": "x", "members": ["Game/p1"]}"#], "members: Game/p1: there is no such object"),
        (
            ["Game", "--json", #"{"title": "x", "team": "x-coredata://other/Team/p1"}"#],
            "the address is of another store"
        ),
        (["--json", #"{"title": "x"}"#], "JSON: the object names no entity (give ENTITY on the command line)"),
        (
            ["Team", "--json", #"{"entity": "Game", "attributes": {"title": "x"}}"#],
            "which is not 'Team' or a sub-entity of it"
        ),
        (
            [
                "--json",
                #"[{"objectID": "a", "entity": "Team", "attributes": {}}, {"objectID": "a", "entity": "Team", "attributes": {}}]"#,
            ],
            "two objects of the input have this address"
        ),
    ])
    func whatIsRefusedChangesNothing(arguments: [String], message: String) throws {
        let club = try Club()
        defer { club.remove() }
        let outcome = try Tool.run(["insert", club.store.path, "--model", club.package.path] + arguments)
        expectRefusal(outcome, containing: message)
        #expect(try club.sql("SELECT (SELECT COUNT(*) FROM ZPERSON) + (SELECT COUNT(*) FROM ZTEAM)") == "0")
    }

    @Test(arguments: [
        ([], "ENTITY is missing"), (["name=x"], "ENTITY is missing"),
        (["Member", "--json", "{}", "--json-file", "x"], "--json and --json-file contradict each other"),
        (["Member", "--dry-run=yes"], "--dry-run takes no value"),
    ])
    func wrongCommandLineExitsWithTwo(arguments: [String], message: String) throws {
        let outcome = try Tool.run(["insert", "/none"] + arguments)
        #expect(outcome.code == 2)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test(
        "a save that fails for several objects prints one line, and a log with a line an error, without values (TOOL-21)"
    )
    func errorsOfSeveralObjects() throws {
        let club = try Club()
        defer { club.remove() }
        let outcome = try club.run("insert", "Member", "--json", #"[{"code": "s3cret"}, {"level": 3}]"#)
        let lines = outcome.errorLines
        #expect(outcome.code == 1 && outcome.output == "" && lines.count == 4, "\(outcome.errors)")
        #expect(lines[0].hasPrefix("coredata: ") && lines[0].contains("not saved: "))
        #expect(
            lines[1].hasPrefix("Unresolved error NSCocoaErrorDomain 1560 NSValidationMultipleErrorsError: "), "\(lines)"
        )
        for number in 1...2 {
            #expect(
                lines.dropFirst(2).contains {
                    $0.hasPrefix("  - NSCocoaErrorDomain 1570 NSValidationMissingMandatoryPropertyError: ")
                        && $0.contains("'name' of entity 'Member' is required and has no value")
                        && $0.contains("(give the value that is missing)")
                        && $0.hasSuffix(" NSValidationErrorObject=object \(number) NSValidationErrorKey=name")
                }, "\(lines)")
        }
        #expect(!outcome.errors.contains("s3cret"))
        // A dry run finds the same, and one error by itself needs no log.
        let tried = try club.run("insert", "Member", "--dry-run", "--json", #"[{"code": "a"}, {"level": 3}]"#)
        #expect(tried.code == 1 && tried.errorLines.count == 4)
        expectRefusal(try club.run("insert", "Member", "level=3"), containing: "[1570]")
    }
}
