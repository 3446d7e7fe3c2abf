import CoreData
import SQLiteKit
import Testing

/// Input that nobody would type, and stores that cannot be written.
@Suite struct EditingHazardTests {
    private func people(_ club: Club) throws -> String? { try club.sql("SELECT COUNT(*) FROM ZPERSON") }

    @Test(
        "invalid JSON is refused with its place and without its text (TOOL-17)",
        arguments: [
            ("", "there is nothing at line 1, byte 1"), ("{\"name\": \"secret\",}", "a key in quotes is expected"),
            ("{\"name\": \"secret\"", "',' or '}' is expected at line 1, byte 18"),
            ("[\n{secret}]", "at line 2, byte 2"),
            (#"{"name": "secret", "name": "x"}"#, "an object has the same key twice"),
            (#"{"name": "\ud800secret"}"#, "half of a surrogate pair"), ("[\"secret\"]", "not a JSON object"),
            ("{\"name\": \"sec\nret\"}", "a control character that is not escaped"),
            (#"{"name": "x", "level": 1e400000}"#, "level: the JSON is not a value of type Integer 16"),
            (#"{"name": "x", "level": 99999999999999999999}"#, "level: the JSON is not a value of type Integer 16"),
            (#"{"name": "x", "level": 01}"#, "this is not a number"),
            (#"{"name": "x", "joined": "0000-00-00T99:99"}"#, "joined: the JSON is not a value of type Date"),
            (String(repeating: "[", count: 100_000), "nested deeper than 128 levels"),
            (#"{"name": "x", "tags": "# + String(repeating: "{\"a\":", count: 5000), "nested deeper than 128 levels"),
        ])
    func hostileJSONIsRefused(json: String, message: String) throws {
        let club = try Club()
        defer { club.remove() }
        let outcome = try club.run("insert", "Member", "--json-file", "-", input: json)
        expectRefusal(outcome, containing: message)
        #expect(!outcome.errors.contains("secret"))
        #expect(outcome.errors.utf8.count < 500)
        #expect(try people(club) == "0")
    }

    @Test("ten megabytes of JSON are inserted whole (TOOL-17)", .timeLimit(.minutes(20)))
    func largeInputIsInsertedWhole() throws {
        let club = try Club()
        defer { club.remove() }
        let tag = String(repeating: "x", count: 5000)
        let lines = (0..<2000).map { #"{"name": "Member \#($0)", "level": \#($0 % 10), "tags": ["\#(tag)"]}"# }
        let outcome = try club.run("insert", "Member", "--json-file", "-", input: lines.joined(separator: "\n"))
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try people(club) == "2000")
        #expect(try club.sql("SELECT SUM(ZLEVEL) FROM ZPERSON") == "9000")
    }

    @Test("many violations are reported in one short line, and the first of them in a line each (TOOL-21)")
    func manyViolations() throws {
        let club = try Club()
        defer { club.remove() }
        let outcome = try club.run(
            "insert", "Member", "--json-file", "-", input: String(repeating: "{}", count: 10_000))
        let lines = outcome.errorLines
        #expect(outcome.code == 1 && outcome.output == "" && lines.count == 22)
        #expect(lines[0].contains("object 1: 'name' of entity 'Member'") && lines[0].contains("And 9995 more."))
        #expect(
            lines[1].hasPrefix("Unresolved error NSCocoaErrorDomain 1560 NSValidationMultipleErrorsError: "),
            "\(lines[1])")
        #expect(lines.last == "  … and 9981 more")
        #expect(outcome.errors.utf8.count < 8000)
    }

    @Test func wordsThatAreNoUTF8AreNotRepaired() throws {
        let club = try Club()
        defer { club.remove() }
        let outcome = try Tool.run(
            ["insert", club.store.path, "Member", "--model", club.package.path],
            script: #""$0" "$@" "$(printf 'name=a\377b')""#)
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("word 6 of the command line is not UTF-8"))
        #expect(try people(club) == "0")
    }

    @Test func fileThatIsEndlessOrMissingIsRefused() throws {
        let club = try Club()
        defer { club.remove() }
        expectRefusal(
            try club.run("insert", "Member", "--json-file", "/dev/zero"), containing: "more than 256 megabytes")
        expectRefusal(try club.run("insert", "Member", "--json-file", "/none"), containing: "No such file")
        expectRefusal(try club.run("insert", "Member", "--json-file", "/"), containing: "Is a directory")
    }

    @Test("what is printed of a hostile name moves no cursor (TOOL-17)")
    func outputIsEscaped() throws {
        let club = try Club.filled()
        defer { club.remove() }
        let outcome = try club.run("set", "Member/p1", "name=\u{1B}[31m\u{202E}x")
        #expect(outcome.output == "Member/p1  name: Ann -> \\u001B[31m\\u202Ex\n")
        let refused = try club.run("insert", "Member", "\u{1B}[31m\u{202E}=x")
        expectRefusal(refused, containing: "\\u001B[31m\\u202E")
        #expect(!refused.errors.contains("\u{1B}"))
    }

    @Test("a store that another process writes is refused in the end (TOOL-17)", .timeLimit(.minutes(20)))
    func lockedStoreIsRefused() throws {
        let club = try Club.filled()
        defer { club.remove() }
        let connection = try Connection.open(club.store.path, OpenOptions(mode: .readWrite))
        try connection.execute("BEGIN IMMEDIATE")
        for arguments in [["insert", "Team", "title=x"], ["set", "Member/p1", "level=4"], ["delete", "Member/p1"]] {
            let outcome = try Tool.run(
                [arguments[0], club.store.path, "--model", club.package.path] + arguments.dropFirst())
            expectRefusal(outcome, containing: "another connection holds it", "[134090]")
        }
        try connection.execute("ROLLBACK")
        connection.close()
        #expect(try people(club) == "3")
    }

    @Test("a store that can only be read is neither filled nor emptied (HAZ-10)")
    func readOnlyStoreIsRefused() throws {
        let club = try Club.filled()
        defer { club.remove() }
        try Database.change(
            club.store, "CREATE TRIGGER foreign_code AFTER DELETE ON ZPERSON BEGIN DELETE FROM ZTEAM; END")
        let before = try FolderState(around: club.store)
        expectRefusal(try club.run("insert", "Team", "title=x"), containing: "the store can only be read")
        expectRefusal(try club.run("delete", "Member", "--all"), containing: "the store can only be read")
        #expect(try FolderState(around: club.store) == before)
    }

    @Test(
        "Closed streams stop no command with a signal, and no file takes their place",
        arguments: ["2>&-", ">&-", "<&- >&- 2>&-"])
    func closedStreamsDoNotCrash(streams: String) throws {
        let club = try Club.filled()
        defer { club.remove() }
        for (arguments, code) in [
            (["get", "Member/p1"], streams.contains(">&- ") || streams == ">&-" ? 1 : 0), (["get", "Member/p9"], 1),
            (["insert", "Member", "--json", "{}"], 1),
        ] {
            let outcome = try Tool.run(
                [arguments[0], club.store.path, "--model", club.package.path] + arguments.dropFirst(),
                script: "\"$0\" \"$@\" \(streams)")
            #expect(outcome.code == code, "\(arguments) \(outcome.errors)")
            #expect(!outcome.wasKilled)
        }
        #expect(try people(club) == "3")
    }
}
