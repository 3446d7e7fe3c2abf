import CoreData
import Testing

/// `history --revert`, and old and new values of a transaction.
@Suite struct HistoryRevertTests {
    @Test("a transaction is shown with its values before and after, where they are kept (CTX-34)")
    func valuesOfATransaction() throws {
        let diary = try Diary(keepsOldValues: true)
        defer { diary.remove() }
        let changes = try #require(try diary.transactions("--transaction", "2").first?["changes"] as? [[String: Any]])
        let note = try #require(changes.first { $0["objectID"] as? String == "Note/p1" }?["values"] as? [String: Any])
        #expect(note["title"] as? [String: String] == ["old": "first", "new": "changed"])
        #expect(note.keys.sorted() == ["tag", "title"])
        #expect((note["tag"] as? [String: Any])?["old"] is NSNull)
        let photo = changes.first { $0["objectID"] as? String == "Photo/p2" }?["values"] as? [String: [String: Any]]
        #expect(photo?["size"]?["new"] as? Int == 7 && photo?["size"]?["old"] is NSNull)
        let text = try diary.history("--transaction", "3").output
        #expect(text.contains("title: sea -> nil") && text.contains("delete  Photo/p2"), "\(text)")

        let plain = try Diary()
        defer { plain.remove() }
        let without = try plain.transactions("--transaction", "2").first?["changes"] as? [[String: Any]]
        #expect(without?.isEmpty == false && without?.allSatisfy { $0["values"] == nil } == true)
    }

    @Test("--revert of a transaction of an import takes the whole import back (WEB-06, CTX-34)")
    func revertedImport() throws {
        let diary = try Diary(keepsOldValues: true)
        defer { diary.remove() }
        func text() throws -> String { try Tool.run("export", diary.store.path).output }
        let before = try text()
        let file = diary.folder.appendingPathComponent("photos.json")
        let photos = (1...3).map { "{\"entity\": \"Photo\", \"title\": \"imported \($0)\", \"size\": \($0)}" }
        try Data("[\(photos.joined(separator: ","))]".utf8).write(to: file)
        let outcome = try Tool.run("import", diary.store.path, file.path)
        #expect(outcome.output.contains("3 inserted"), "\(outcome.output)\(outcome.errors)")
        let own = try diary.transactions().filter { ($0["contextName"] as? String)?.hasPrefix("import ") == true }
        let number = try #require(own.first?["id"] as? Int)
        #expect(own.count == 1 && number == 4)
        let dry = try diary.history("--revert", "\(number)", "--dry-run")
        #expect(dry.code == 0 && dry.output.contains("would revert the 1 transaction of the import "), "\(dry.errors)")
        #expect(try text() != before)
        let reverted = try diary.history("--revert", "\(number)")
        #expect(reverted.code == 0 && reverted.output.contains("reverted the 1 transaction"), "\(reverted.errors)")
        #expect(try text() == before)
    }

    @Test(
        "--revert undoes a transaction by a new one that the history records, and --dry-run leaves the store as it is (CTX-34)"
    )
    func revertedTransaction() throws {
        let diary = try Diary(keepsOldValues: true)
        defer { diary.remove() }
        let trial = try diary.history("--revert", "3", "--dry-run", "--format", "json")
        let objects = try trial.json(as: [[String: Any]].self)
        #expect(trial.code == 0 && objects.count == 1, "\(trial.errors)")
        #expect(objects.first?["type"] as? String == "insert" && objects.first?["entity"] as? String == "Photo")
        let values = objects.first?["values"] as? [String: [String: Any]]
        #expect(values?["title"]?["new"] as? String == "sea")
        #expect(try diary.numbers() == [1, 2, 3])

        let outcome = try diary.history("--revert", "3")
        #expect(outcome.code == 0 && outcome.output.hasSuffix("reverted transaction 3\n"), "\(outcome.errors)")
        #expect(outcome.output.contains("insert  Photo/p3") && outcome.output.contains("title: nil -> sea"))
        #expect(try Database.text(diary.store, "SELECT ZTITLE || ZSIZE FROM ZNOTE WHERE Z_PK = 3") == "sea7")
        let last = try #require(try diary.transactions().last)
        #expect(last["id"] as? Int == 4 && last["author"] as? String == "coredata")
        // The tool's own transaction keeps old values too.
        #expect(try diary.history("--revert", "4").code == 0)
        #expect(try Database.text(diary.store, "SELECT count(*) FROM ZNOTE") == "1")
    }

    @Test(
        "--revert refuses what later transactions touched, and transactions without old values, and changes nothing (CTX-34)"
    )
    func revertRefusesWhatLaterTransactionsTouched() throws {
        let diary = try Diary(keepsOldValues: true)
        defer { diary.remove() }
        expectRefusal(try diary.history("--revert", "1"), containing: "not reverted", "Note/p1")
        expectRefusal(try diary.history("--revert", "9"), containing: "no transaction 9")
        #expect(try diary.numbers() == [1, 2, 3])
        let plain = try Diary()
        defer { plain.remove() }
        expectRefusal(try plain.history("--revert", "3"), containing: "Transaction 3", "keeps no old values")
        #expect(try plain.numbers() == [1, 2, 3])
        #expect(try diary.history("--revert", "3", "--purge", "3").code == 2)
    }
}
