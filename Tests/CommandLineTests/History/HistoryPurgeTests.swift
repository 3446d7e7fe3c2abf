import CoreData
import Testing

@Suite struct HistoryPurgeTests {
    @Test func numberDeletesWhatIsBeforeIt() throws {
        let diary = try Diary()
        defer { diary.remove() }
        #expect(try diary.history("--purge", "3", "--dry-run").output == "would delete 2 transactions\n")
        #expect(try diary.numbers() == [1, 2, 3])
        let outcome = try diary.history("--purge", "3")
        #expect(outcome.code == 0 && outcome.output == "deleted 2 transactions\n", "\(outcome.errors)")
        #expect(try diary.numbers() == [3])
        #expect(try Database.text(diary.store, "SELECT count(*) FROM ACHANGE") == "1")
        #expect(try diary.history("--purge", "3", "--format", "json").output == "{\"deleted\":0}\n")
        expectRefusal(try diary.history("--transaction", "1"), containing: "(it has 3 to 3)")
    }

    @Test func dateDeletesWhatIsBeforeItAndNothingAfterWhatStays() throws {
        let diary = try Diary()
        defer { diary.remove() }
        // The clock went back before the third.
        try Database.change(
            diary.store, "UPDATE ATRANSACTION SET ZTIMESTAMP = Z_PK * 86400",
            "UPDATE ATRANSACTION SET ZTIMESTAMP = 0 WHERE Z_PK = 3")
        #expect(try diary.history("--purge", "2001-01-03", "--dry-run").output == "would delete 1 transaction\n")
        #expect(try diary.history("--purge", "2001-01-03").output == "deleted 1 transaction\n")
        #expect(try diary.numbers() == [2, 3])
        #expect(try diary.history("--purge", "2030-01-01").output == "deleted 2 transactions\n")
        #expect(try diary.history().code == 0)
        #expect(try diary.numbers() == [])
    }

    @Test("an edit goes on with the numbers after a purge of everything")
    func editIsRecordedAfterAPurge() throws {
        let diary = try Diary()
        defer { diary.remove() }
        #expect(try diary.history("--purge", "99").output == "deleted 3 transactions\n")
        let edit = try Tool.run("set", diary.store.path, "Note/p1", "title=new")
        #expect(edit.code == 0 && edit.errors == "", "\(edit.errors)")
        let transactions = try diary.transactions()
        #expect(transactions.map { $0["id"] as? Int } == [4])
        #expect(transactions.first?["author"] as? String == "coredata")
    }

    @Test func editOfAStoreWithoutHistoryBeginsNone() throws {
        let diary = try Diary(isTracked: false)
        defer { diary.remove() }
        #expect(try Tool.run("set", diary.store.path, "Note/p1", "title=new").code == 0)
        #expect(try Database.text(diary.store, "SELECT count(*) FROM sqlite_master WHERE name LIKE 'A%'") == "0")
    }
}
