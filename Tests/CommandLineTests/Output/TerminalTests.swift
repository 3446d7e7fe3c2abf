import CoreData
import Testing

@testable import CoreDataPrinting

@Suite struct TerminalTests {
    private func lines(columns: UInt16, _ arguments: [String], environment: [String: String] = [:]) throws -> [String] {
        let terminal = try Pseudoterminal(columns: columns)
        let outcome = try Tool.run(arguments, environment: environment, output: terminal.slave)
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try terminal.text().split(separator: "\n").map(String.init)
    }

    @Test(
        "tables fit the terminal and nothing in them moves the cursor (HAZ-26)",
        arguments: [20, 40, 80, 200] as [UInt16])
    func tablesFitTheTerminal(columns: UInt16) throws {
        let library = try Library()
        defer { library.remove() }
        for arguments in [
            ["inspect", library.store.path], ["fetch", library.store.path, "Book"],
            ["get", library.store.path, "Book/p4"],
            ["set", library.store.path, "Book", "--all", "title=A \u{1B}[31mrather \u{202E}long title", "--dry-run"],
        ] {
            let lines = try lines(columns: columns, arguments + library.model)
            #expect(lines.count > 3)
            // Addresses are there to be copied.
            let fitted = lines.filter { !$0.contains("x-coredata://") }
            #expect(fitted.allSatisfy { DisplayWidth.of($0) <= Int(columns) }, "\(lines)")
            #expect(!lines.joined().unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        }
    }

    @Test func columnsInTheEnvironmentGoBeforeTheTerminals() throws {
        let library = try Library()
        defer { library.remove() }
        let arguments = ["fetch", library.store.path, "Book"] + library.model
        let narrow = try lines(columns: 200, arguments, environment: ["COLUMNS": "30"])
        #expect(narrow.allSatisfy { DisplayWidth.of($0) <= 30 })
    }

    @Test("objectIDs are whole however narrow the terminal is")
    func objectIDsAreNeverCut() throws {
        let library = try Library()
        defer { library.remove() }
        let fetched = try lines(columns: 20, ["fetch", library.store.path, "Novel"] + library.model)
        #expect(fetched.contains { $0.hasPrefix("Novel/p4") })
        let got = try lines(columns: 20, ["get", library.store.path, "Book/p1"] + library.model)
        for line in ["Book/p1", "Author/p1"] {
            #expect(got.contains { $0.hasSuffix(" x-coredata://\(library.uuid)/\(line)") }, "\(got)")
        }
    }

    @Test("tables that go elsewhere than to a terminal have bounded lines, csv has everything")
    func tablesAreBoundedElsewhere() throws {
        let library = try Library()
        defer { library.remove() }
        let title = String(repeating: "long ", count: 10_000)
        try Database.change(library.store, "UPDATE ZBOOK SET ZTITLE = '\(title)' WHERE Z_PK = 1")
        let fetch = ["fetch", library.store.path, "Book", "--keys", "objectID,title"] + library.model
        let table = try Tool.run(fetch).output.split(separator: "\n")
        #expect(table.allSatisfy { DisplayWidth.of(String($0)) <= 8 + 2 + TextTable.widest }, "\(table.map(\.count))")
        #expect(table.contains { $0.hasSuffix("long…") || $0.hasSuffix("lon…") || $0.hasSuffix("lo…") })
        #expect(try Tool.run(fetch + ["--format", "csv"]).output.contains(title.trimmingCharacters(in: .whitespaces)))
    }

    @Test func elsewhereThanOnATerminalUsualValuesAreWhole() throws {
        let library = try Library()
        defer { library.remove() }
        let outcome = try Tool.run(
            ["fetch", library.store.path, "Book"] + library.model, environment: ["COLUMNS": "30"])
        #expect(outcome.output.contains("123E4567-E89B-12D3-A456-426614174000"))
        #expect(outcome.output.contains("Tab\\tand \\u001B[31mred \\u202Eturned"))
        #expect(!outcome.output.contains("\u{1B}"))
    }

    @Test func readerThatGoesAwayIsNoCrash() throws {
        let library = try Library()
        defer { library.remove() }
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        let writer = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        for format in ["table", "json", "csv"] {
            let outcome = try Tool.run(
                ["fetch", library.store.path, "Book", "--format", format] + library.model, output: writer)
            #expect(outcome.code == 0)
            #expect(!outcome.wasKilled)
            #expect(outcome.errors == "")
        }
    }

    @Test func outputThatCannotBeWrittenIsAnError() throws {
        let full = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full"))
        let outcome = try Tool.run(["--help"], output: full)
        #expect(outcome.code == 1)
        #expect(outcome.errors.contains("the output cannot be written"))
    }
}
