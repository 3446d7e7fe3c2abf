import CoreData
import Testing

@Suite struct HistoryListTests {
    @Test("the history in json has these members and no others (TOOL-16)")
    func jsonHasTheDocumentedShape() throws {
        let diary = try Diary()
        defer { diary.remove() }
        let transactions = try diary.transactions()
        #expect(transactions.map { $0["id"] as? Int } == [1, 2, 3])
        let keys: Set = ["id", "timestamp", "author", "contextName", "bundleID", "processID", "changes"]
        #expect(transactions.allSatisfy { Set($0.keys) == keys })
        #expect(transactions.map { $0["author"] as? String } == ["app", "sync", nil])
        #expect(transactions[2]["author"] is NSNull && transactions[2]["contextName"] is NSNull)
        #expect(transactions[0]["contextName"] as? String == "main")
        let times = try transactions.map { try #require($0["timestamp"] as? String) }
        let form = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z/
        #expect(times.allSatisfy { $0.wholeMatch(of: form) != nil }, "\(times)")
        let changes = try transactions.map { try #require($0["changes"] as? [[String: Any]]) }
        let changeKeys: Set = ["type", "entity", "objectID", "updatedProperties", "tombstone"]
        #expect(changes.joined().allSatisfy { Set($0.keys) == changeKeys })
        #expect(Set(changes[0].map { line($0) }) == ["insert Note Note/p1 []", "insert Tag Tag/p1 []"])
        #expect(
            Set(changes[1].map { line($0) }) == [
                "insert Photo Photo/p2 []", "update Note Note/p1 [tag title]", "update Tag Tag/p1 [notes]",
            ])
        #expect(changes[2].map { line($0) } == ["delete Photo Photo/p2 []"])
        let tombstone = try #require(changes[2][0]["tombstone"] as? [String: Any])
        let kept: NSDictionary = ["title": "sea", "day": "2001-01-01T00:00:00.250Z", "size": 7]
        #expect(NSDictionary(dictionary: tombstone) == kept)
        #expect(changes[0].allSatisfy { ($0["tombstone"] as? [String: Any])?.isEmpty == true })
    }

    private func line(_ change: [String: Any]) -> String {
        let words = ["type", "entity", "objectID"].map { change[$0] as? String ?? "null" }
        let properties = (change["updatedProperties"] as? [String])?.sorted().joined(separator: " ")
        return words.joined(separator: " ") + " [\(properties ?? "null")]"
    }

    @Test func tableHasATransactionARowWithItsCounts() throws {
        let diary = try Diary()
        defer { diary.remove() }
        let outcome = try diary.history()
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        let rows = outcome.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(rows.count == 5)
        #expect(rows[0].prefix(7) == ["NUMBER", "TIME", "INSERTED", "UPDATED", "DELETED", "AUTHOR", "CONTEXT"])
        #expect(rows[2...].map { $0[0] } == ["1", "2", "3"])
        #expect(rows[2...].map { $0[2...4].joined(separator: " ") } == ["2 0 0", "1 2 0", "0 0 1"])
        #expect(rows[2...].map { $0[5] } == ["app", "sync", "nil"])
    }

    @Test("the table and a transaction fit the terminal (HAZ-26)", arguments: [20, 60, 200] as [UInt16])
    func linesFitTheTerminal(columns: UInt16) throws {
        let diary = try Diary()
        defer { diary.remove() }
        try Database.change(
            diary.store, "UPDATE ATRANSACTIONSTRING SET ZNAME = 'a' || char(27, 8238) || hex(zeroblob(99)) || ZNAME")
        for options in [[], ["--transaction", "2"], ["--transaction", "3"]] {
            let terminal = try Pseudoterminal(columns: columns)
            let outcome = try Tool.run(["history", diary.store.path] + options, output: terminal.slave)
            let text = try terminal.text()
            #expect(outcome.code == 0 && text.split(separator: "\n").count > 4)
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= Int(columns) }, "\(text)")
            #expect(!text.unicodeScalars.contains { $0.value == 27 || $0.value == 8238 } && !text.contains("--keys"))
        }
    }

    @Test func filtersTakeNumbersTimesAuthorsEntitiesAndTheNewest() throws {
        let diary = try Diary()
        defer { diary.remove() }
        #expect(try diary.numbers("--after", "1") == [2, 3])
        #expect(try diary.numbers("--before", "3") == [1, 2])
        #expect(try diary.numbers("--after", "1", "--before", "3") == [2])
        #expect(try diary.numbers("--after", "2001-01-01") == [1, 2, 3])
        #expect(try diary.numbers("--before", "2001-01-01") == [])
        #expect(try diary.numbers("--author", "sync") == [2])
        #expect(try diary.numbers("--author", "nobody") == [])
        #expect(try diary.numbers("--limit", "2") == [2, 3])
        #expect(try diary.numbers("--limit", "\(Int.max)") == [1, 2, 3])
        #expect(try diary.numbers("--limit", "1", "--entity", "Tag") == [2])
        try Database.change(diary.store, "UPDATE ATRANSACTION SET ZTIMESTAMP = Z_PK * 86400")
        #expect(try diary.numbers("--after", "2001-01-02", "--before", "2001-01-04") == [2])
        #expect(try diary.numbers("--after", "2001-01-01T12:00:00Z", "--limit", "1") == [3])
    }

    @Test func entityFiltersChangesWithThoseOfSubentities() throws {
        let diary = try Diary()
        defer { diary.remove() }
        func objects(_ entity: String) throws -> [[String]] {
            try diary.transactions("--entity", entity).map { transaction in
                (transaction["changes"] as? [[String: Any]] ?? []).compactMap { $0["objectID"] as? String }.sorted()
            }
        }
        #expect(try objects("Note") == [["Note/p1"], ["Note/p1", "Photo/p2"], ["Photo/p2"]])
        #expect(try objects("Photo") == [["Photo/p2"], ["Photo/p2"]])
        #expect(try objects("Tag") == [["Tag/p1"], ["Tag/p1"]])
        expectRefusal(try diary.history("--entity", "Nte"), containing: "did you mean 'Note'?")
    }

    @Test func oneTransactionIsPrintedInFull() throws {
        let diary = try Diary()
        defer { diary.remove() }
        let third = try diary.history("--transaction", "3").output
        #expect(third.contains("\nauthor   nil\n") && third.hasPrefix("number   3\ntime "))
        #expect(third.contains("\ndelete  Photo/p2\n        day = 2001-01-01T00:00:00.250Z\n        size = 7\n"))
        #expect(third.hasSuffix("\n0 inserted, 0 updated, 1 deleted\n"))
        #expect(try diary.history("--transaction", "2").output.contains("\nupdate  Note/p1  tag, title\n"))
        #expect(try diary.numbers("--transaction", "2") == [2])
        for format in ["table", "json"] {
            expectRefusal(
                try diary.history("--transaction", "4", "--format", format),
                containing: "the history has no transaction 4 (it has 1 to 3)")
        }
    }

    @Test func storeWithoutHistoryIsRefused() throws {
        let diary = try Diary(isTracked: false)
        defer { diary.remove() }
        for option in [[], ["--follow"], ["--purge", "1"], ["--transaction", "1"], ["--format", "json"]] {
            let before = try FolderState(around: diary.store)
            expectRefusal(
                try Tool.run(["history", diary.store.path] + option), containing: "the store has no persistent history")
            #expect(try FolderState(around: diary.store) == before)
        }
    }

    @Test(arguments: [
        (["--follow", "--before", "3"], "--follow and --before contradict each other"),
        (["--transaction", "1", "--limit", "1"], "--transaction and --limit contradict each other"),
        (["--purge", "1", "--author", "x"], "--purge and --author contradict each other"),
        (["--dry-run"], "--dry-run goes with --purge and --revert"), (["--after", "soon"], "not 'soon'"),
        (["--purge", "2024-13-01"], "--purge takes the number of a transaction or a date"),
        (["--transaction", "x"], "--transaction takes a whole number of at least 0"),
    ])
    func optionsThatAreWrongExitWithTwo(options: [String], message: String) throws {
        let outcome = try Tool.run(["history", "/none"] + options)
        #expect(outcome.code == 2 && outcome.output == "")
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func readingLeavesNoTrace() throws {
        let diary = try Diary()
        defer { diary.remove() }
        let before = try FolderState(around: diary.store)
        for options in [[], ["--format", "json"], ["--transaction", "2"], ["--purge", "3", "--dry-run"]] {
            let outcome = try Tool.run(["history", diary.store.path] + options)
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(try FolderState(around: diary.store) == before)
        }
    }

    @Test func inspectTellsHowMuchThereIs() throws {
        let diary = try Diary()
        defer { diary.remove() }
        try Database.change(diary.store, "UPDATE ATRANSACTION SET ZTIMESTAMP = Z_PK")
        let text = try Tool.run("inspect", diary.store.path).output
        let ends = "1 (2001-01-01T00:00:01.000Z) to 3 (2001-01-01T00:00:03.000Z)"
        #expect(text.contains("\nhistory    on, 3 transactions: \(ends)\n"), "\(text)")
        #expect(!text.contains("problem"))
        let report: [String: Any] = try Tool.run("inspect", diary.store.path, "--format", "json").json()
        let transactions = try #require(report["transactions"] as? [String: Any])
        #expect(transactions["count"] as? Int == 3)
        #expect((transactions["last"] as? [String: Any])?["id"] as? Int == 3)
        #expect((transactions["first"] as? [String: Any])?["timestamp"] as? String == "2001-01-01T00:00:01.000Z")
    }
}
