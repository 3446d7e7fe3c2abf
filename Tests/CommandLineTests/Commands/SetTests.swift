import CoreData
import SQLiteKit
import Testing

@Suite struct SetTests {
    private func set(_ library: Library, _ arguments: String...) throws -> Tool.Outcome {
        try Tool.run(["set", library.store.path] + arguments + library.model)
    }

    private func object(_ library: Library, _ address: String) throws -> (
        attributes: [String: Any], relationships: [String: Any]
    ) {
        let object: [String: Any] = try Tool.run(
            ["get", library.store.path, address, "--format", "json"] + library.model
        ).json()
        return (object["attributes"] as? [String: Any] ?? [:], object["relationships"] as? [String: Any] ?? [:])
    }

    @Test func valuesAreTypedByTheirAttributeAndSaved() throws {
        let library = try Library()
        defer { library.remove() }
        let outcome = try set(
            library, "Book/p2", "title=New = title", "pages=-7", "price=0.25", "isRead=YES",
            "link=https://example.org/x?y=z",
            "cover=BAUG", "isbn=00000000-0000-0000-0000-000000000001", "rating=2.5", "weight=0.5", "number=@null")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("Book/p2  title: Book 2 -> New = title\n"))
        let values = try object(library, "Book/p2").attributes
        #expect(values["title"] as? String == "New = title")
        #expect(values["pages"] as? Int == -7)
        #expect(values["price"] as? String == "0.25")
        #expect(values["isRead"] as? Bool == true)
        #expect(values["link"] as? String == "https://example.org/x?y=z")
        #expect(values["cover"] as? String == "BAUG")
        #expect(values["isbn"] as? String == "00000000-0000-0000-0000-000000000001")
        #expect(values["rating"] as? Double == 2.5)
        #expect(values["number"] is NSNull)
    }

    @Test func emptyTextAndNilAreToldApart() throws {
        let library = try Library()
        defer { library.remove() }
        #expect(try set(library, "Novel/p4", "title=", "genre=@null").code == 0)
        let values = try object(library, "Novel/p4").attributes
        #expect(values["title"] as? String == "")
        #expect(values["genre"] is NSNull)
    }

    @Test func relationshipsAreSetByAddress() throws {
        let library = try Library()
        defer { library.remove() }
        #expect(try set(library, "Book/p3", "author=x-coredata://\(library.uuid)/Author/p1").code == 0)
        #expect(try set(library, "Book/p1", "author=@null").code == 0)
        #expect((try object(library, "Author/p1").relationships["books"] as? [String])?.count == 2)
        #expect(try set(library, "Author/p1", "books=Book/p1,Novel/p4").code == 0)
        #expect(try object(library, "Book/p3").relationships["author"] is NSNull)
        #expect(
            try object(library, "Author/p1").relationships["books"] as? [String] == [
                "x-coredata://\(library.uuid)/Book/p1", "x-coredata://\(library.uuid)/Novel/p4",
            ])
    }

    @Test func jsonTellsWhatChanged() throws {
        let library = try Library()
        defer { library.remove() }
        let report: [String: Any] = try set(library, "Book/p2", "pages=5", "title=Book 2", "--format", "json").json()
        #expect(report["objectID"] as? String == "x-coredata://\(library.uuid)/Book/p2")
        let changes = try #require(report["changes"] as? [String: [String: Any]])
        #expect(changes.keys.sorted() == ["pages"])
        #expect(changes["pages"]?["from"] as? Int == 200)
        #expect(changes["pages"]?["to"] as? Int == 5)
    }

    @Test func equalValueIsNoChangeAndWritesNothing() throws {
        let library = try Library()
        defer { library.remove() }
        let before = try Data(contentsOf: library.store)
        let outcome = try set(library, "Book/p2", "title=Book 2", "pages=200", "author=Author/p1")
        #expect(outcome.output == "Book/p2: nothing to change\n")
        #expect(try Data(contentsOf: library.store) == before)
    }

    @Test(arguments: [
        (["pages=many"], "pages: the text is not a value of type Integer 16 (a whole number from -32768 to 32767)"),
        (["pages=40000"], "outside the range of integer16"),
        (["titel=x", "title=y", "pages=40000"], "2 keys: titel: "), (["titel=x"], "did you mean 'title'?"),
        (["title"], "this is not an assignment"),
        (["=x"], "this is not an assignment"), (["title=@null"], "is required and has no value"),
        (["title=a", "title=b"], "named twice"),
        (["author=Book/p1"], "is not of entity 'Author'"), (["author=Author/p99"], "there is no such object"),
        (["author="], "@null is nil"),
        (["tags=x"], "tags: this is not JSON"), (["title=new", "isbn=1"], "is not a value of type UUID"),
        (["pages+=1"], "only a to-many relationship takes += and -="), (["+=x"], "there is no key"),
    ])
    func wrongAssignmentIsRefusedAndChangesNothing(assignments: [String], message: String) throws {
        let library = try Library()
        defer { library.remove() }
        let before = try FolderState(around: library.store)
        expectRefusal(
            try Tool.run(["set", library.store.path, "Book/p2"] + assignments + library.model), containing: message)
        #expect(try FolderState(around: library.store) == before)
    }

    @Test("a Double takes infinity, and is refused NaN where the store would save nil")
    func infinityAndNaN() throws {
        let library = try Library()
        defer { library.remove() }
        for (text, value) in [("Infinity", "Infinity"), ("-∞", "-Infinity")] {
            let outcome = try set(library, "Book/p1", "rating=\(text)")
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(try object(library, "Book/p1").attributes["rating"] as? String == value)
        }
        expectRefusal(
            try set(library, "Book/p1", "rating=NaN"), containing: "the store cannot keep NaN and would save nil")
        #expect(try object(library, "Book/p1").attributes["rating"] as? String == "-Infinity")
    }

    @Test("the decimal NaN is set, shown, found, checked, exported and copied as a value (MOD-15)")
    func decimalNaN() throws {
        let library = try Library()
        defer { library.remove() }
        func run(_ words: String...) throws -> Tool.Outcome { try Tool.run(words + library.model) }
        let outcome = try set(library, "Book/p1", "price=NaN")
        #expect(outcome.code == 0 && outcome.output.contains("12.5 -> NaN"), "\(outcome.output)\(outcome.errors)")
        let stored = try Database.text(library.store, "SELECT typeof(ZPRICE) || ZPRICE FROM ZBOOK WHERE Z_PK = 1")
        #expect(stored == "textNaN")
        #expect(try object(library, "Book/p1").attributes["price"] as? String == "NaN")
        let shown = try run("fetch", library.store.path, "Book", "--where", "price == CAST('NaN', 'NSDecimalNumber')")
        #expect(shown.output.contains("NaN") && shown.output.split(separator: "\n").count == 3, "\(shown.output)")
        #expect(try run("fetch", library.store.path, "Book", "--where", "price > 0", "--count").output.contains("0"))
        let checked = try run("check", library.store.path)
        #expect(checked.code == 0, "\(checked.output)")
        #expect(try run("check", library.store.path, "--repair").code == 0)
        #expect(try Database.text(library.store, "SELECT ZPRICE FROM ZBOOK WHERE Z_PK = 1") == "NaN")
        for kind in ["xml", "binary"] {
            let copy = library.folder.appendingPathComponent("Copy.\(kind)").path
            #expect(try run("copy", library.store.path, copy).code == 0)
            let compared = try run("compare", library.store.path, copy)
            #expect(compared.code == 0, "\(compared.output)\(compared.errors)")
            let back = try run("fetch", copy, "Book", "--where", "price == CAST('NaN', 'NSDecimalNumber')", "--count")
            #expect(back.output.contains("1"), "\(back.output)\(back.errors)")
        }
        let table = try run("fetch", library.store.path, "Book", "--format", "csv")
        #expect(table.output.contains("NaN"), "\(table.output)")
        let lines = try run("export", library.store.path, "Book")
        #expect(lines.output.contains("\"price\":\"NaN\""), "\(lines.output)")
        #expect(try set(library, "Book/p1", "price=nan").code == 1)
    }

    @Test func ruleOfTheModelForbidsTheSave() throws {
        let library = try Library()
        defer { library.remove() }
        expectRefusal(
            try set(library, "Author/p1", "name=A name that is longer than the model allows"),
            containing: "not saved: Author/p1: 'name' of entity 'Author' is longer than the model allows "
                + "(at most 20 characters). It has 43 characters: 'A name that is longer than the model all…'. [1660]")
        #expect(try object(library, "Author/p1").attributes["name"] as? String == "Ann Able")
    }

    @Test("a store with a trigger of another program's is not written (HAZ-10)")
    func readOnlyStoreIsRefused() throws {
        let library = try Library()
        defer { library.remove() }
        let connection = try Connection.open(library.store.path, OpenOptions(mode: .readWrite))
        try connection.execute("CREATE TRIGGER foreign_code AFTER UPDATE ON ZBOOK BEGIN DELETE FROM ZAUTHOR; END")
        connection.close()
        expectRefusal(try set(library, "Book/p2", "pages=1"), containing: "the store can only be read")
    }

    @Test("all objects that a predicate selects are changed, and their number is printed first (TOOL-17)")
    func allThatMatchAreChanged() throws {
        let club = try Club.filled()
        defer { club.remove() }
        let tried = try club.run("set", "Member", "--where", "level > 1", "level=9", "--dry-run")
        #expect(tried.output.hasPrefix("2 objects selected\nMember/p2  level: 3 -> would be 9\n"))
        #expect(try club.sql("SELECT SUM(ZLEVEL) FROM ZPERSON") == "9")
        let outcome = try club.run("set", "Member", "--where", "level > 1", "level=5", "--sort", "name")
        #expect(
            outcome.output == "2 objects selected\nMember/p2  level: 3 -> 5\nMember/p3: nothing to change\n")
        #expect(try club.sql("SELECT SUM(ZLEVEL) FROM ZPERSON") == "11")
        let report: [[String: Any]] = try club.run("set", "Person", "--all", "level=2", "--format", "json").json()
        #expect(report.count == 3)
        #expect(try club.sql("SELECT SUM(ZLEVEL) FROM ZPERSON") == "6")
    }

    @Test func oneObjectThatBreaksARuleKeepsAllFromBeingChanged() throws {
        let club = try Club.filled()
        defer { club.remove() }
        let outcome = try club.run("set", "Member", "--all", "code=same")
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("[133021]"), "\(outcome.errors)")
        #expect(try club.sql("SELECT group_concat(ZCODE) FROM ZPERSON") == "1,2,3")
    }

    @Test func membersAreAddedAndTakenAway() throws {
        let club = try Club.filled()
        defer { club.remove() }
        func members(_ team: String) throws -> [String] {
            let object: [String: Any] = try club.run("get", team, "--format", "json").json()
            let relationships = try #require(object["relationships"] as? [String: Any])
            return (relationships["members"] as? [String] ?? []).map { String($0.suffix(2)) }
        }
        #expect(try members("Team/p1") == ["p1", "p2", "p3"])
        #expect(try club.run("set", "Team/p1", "members-=p2,Member/p1").code == 0)
        #expect(try members("Team/p1") == ["p3"])
        #expect(try club.run("set", "Team/p1", "members+=[p1, p3]").code == 0)
        #expect(try members("Team/p1") == ["p3", "p1"])
        #expect(try club.run("set", "Team/p2", "members=[p3,p2]").code == 0)
        #expect(try members("Team/p2") == ["p3", "p2"])
        #expect(try members("Team/p1") == ["p1"])
        #expect(try club.run("set", "Team/p2", "members=[]").code == 0)
        #expect(try members("Team/p2") == [])
        expectRefusal(try club.run("set", "Team/p2", "members+=Game/p1"), containing: "is not of entity 'Member'")
    }

    @Test func whatGetPrintsIsSetAgain() throws {
        let club = try Club.filled()
        defer { club.remove() }
        let printed = try club.run("get", "Team/p1", "--format", "json").output
        #expect(try club.run("set", "Team/p1", "title=other", "members=[]").code == 0)
        let outcome = try club.run("set", "Team/p1", "--json-file", "-", input: printed)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try club.run("get", "Team/p1", "--format", "json").output == printed)
        expectRefusal(try club.run("set", "Team/p1", "--json", "[{}, {}]"), containing: "2 objects of JSON are given")
        expectRefusal(try club.run("set", "Team/p1", "--json", "{}"), containing: "it names no key")
    }
}
