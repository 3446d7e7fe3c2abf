import CoreData
import Testing

/// Histories that are damaged are told of as far as they go.
@Suite struct HistoryHazardTests {
    private func damaged(_ statements: String...) throws -> Diary {
        let diary = try Diary()
        for statement in statements { try Database.change(diary.store, statement) }
        return diary
    }

    private func types(_ transactions: [[String: Any]]) -> [Int] {
        transactions.map { ($0["changes"] as? [Any])?.count ?? -1 }
    }

    @Test("HAZ-32: without its table of texts a history has no authors")
    func textsAreMissing() throws {
        let diary = try damaged("DROP TABLE ATRANSACTIONSTRING")
        defer { diary.remove() }
        let transactions = try diary.transactions()
        #expect(types(transactions) == [2, 3, 1])
        #expect(transactions.allSatisfy { $0["author"] is NSNull && $0["processID"] is NSNull })
        #expect(try diary.history().errors.contains("the table ATRANSACTIONSTRING is missing"))
    }

    @Test("HAZ-32: without its table of changes a history has transactions")
    func changesAreMissing() throws {
        let diary = try damaged("DROP TABLE ACHANGE")
        defer { diary.remove() }
        #expect(types(try diary.transactions()) == [0, 0, 0])
        #expect(try diary.history().errors.contains("the table ACHANGE is missing"))
        #expect(try Tool.run("inspect", diary.store.path).code == 0)
    }

    @Test("HAZ-32: without its table of transactions there is no history")
    func transactionsAreMissing() throws {
        let diary = try damaged("DROP TABLE ATRANSACTION")
        defer { diary.remove() }
        expectRefusal(try diary.history(), containing: "the store has no persistent history")
    }

    @Test("HAZ-32: entity numbers, kinds, columns and times that mean nothing")
    func valuesThatMeanNothing() throws {
        let diary = try damaged(
            "UPDATE ATRANSACTION SET ZTIMESTAMP = 'yesterday' WHERE Z_PK = 1",
            "UPDATE ATRANSACTION SET ZAUTHORTS = x'00' WHERE Z_PK = 1",
            "UPDATE ACHANGE SET ZENTITY = 4711 WHERE ZTRANSACTIONID = 1",
            "UPDATE ACHANGE SET ZCOLUMNS = x'FFFFFFFF' WHERE ZCHANGETYPE = 1",
            "UPDATE ACHANGE SET ZTOMBSTONE0 = x'FF', ZTOMBSTONE2 = 'none' WHERE ZCHANGETYPE = 2",
            "INSERT INTO ACHANGE (ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) VALUES (9, 1, 1, 3)")
        defer { diary.remove() }
        let transactions = try diary.transactions()
        #expect(types(transactions) == [2, 3, 1])
        let first = try #require(transactions[0]["changes"] as? [[String: Any]])
        #expect(first.allSatisfy { $0["entity"] is NSNull && $0["objectID"] is NSNull })
        let second = try #require(transactions[1]["changes"] as? [[String: Any]])
        #expect(second.allSatisfy { ($0["updatedProperties"] as? [Any])?.isEmpty == true })
        #expect(transactions[0]["timestamp"] is String && transactions[0]["author"] is NSNull)
        let detail = try diary.history("--transaction", "1")
        #expect(detail.output.contains("insert  (an object of an entity that the model does not have)"))
        #expect(try diary.numbers("--entity", "Note") == [2, 3])
        #expect(try Tool.run("inspect", diary.store.path).output.contains("3 transactions: 1 (no time) to 3 ("))
    }
}
