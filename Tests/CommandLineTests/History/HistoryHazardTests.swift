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

    @Test("without its table of texts a history has no authors (HAZ-32)")
    func textsAreMissing() throws {
        let diary = try damaged("DROP TABLE ATRANSACTIONSTRING")
        defer { diary.remove() }
        let transactions = try diary.transactions()
        #expect(types(transactions) == [2, 3, 1])
        #expect(transactions.allSatisfy { $0["author"] is NSNull && $0["processID"] is NSNull })
        #expect(try diary.history().errors.contains("the table ATRANSACTIONSTRING is missing"))
    }

    @Test("a history of macOS 10.13, which has its texts in the transactions, is whole and gone on with (TOOL-16)")
    func textsInTransactions() throws {
        let texts = ["AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID"]
        let columns = texts.map { "(SELECT ZNAME FROM ATRANSACTIONSTRING s WHERE s.Z_PK = Z\($0)TS) AS Z\($0)" }
        let diary = try damaged(
            "CREATE TABLE OLD ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT, "
                + "ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR )",
            "INSERT INTO OLD SELECT Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP, "
                + "\(columns.joined(separator: ", ")) FROM ATRANSACTION",
            "DROP TABLE ATRANSACTION", "DROP TABLE ATRANSACTIONSTRING", "ALTER TABLE OLD RENAME TO ATRANSACTION",
            "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'TRANSACTIONSTRING'")
        defer { diary.remove() }
        let listed = try diary.history()
        #expect(listed.code == 0 && listed.errors == "", "\(listed.errors)")
        #expect(try diary.transactions().map { $0["author"] as? String } == ["app", "sync", nil])
        let checked = try Tool.run("check", diary.store.path)
        #expect(checked.code == 0, "\(checked.output)")
        let edited = try Tool.run("set", diary.store.path, "Note/p1", "title=new")
        #expect(edited.code == 0 && edited.errors == "", "\(edited.errors)")
        #expect(try diary.transactions().map { $0["author"] as? String } == ["app", "sync", nil, "coredata"])
    }

    @Test("the time of a transaction is printed to the microsecond, as that of an object is (TOOL-16)")
    func timeOfTransactionIsPrintedToMicrosecond() throws {
        let diary = try damaged("UPDATE ATRANSACTION SET ZTIMESTAMP = 632843030.919846 WHERE Z_PK = 1")
        defer { diary.remove() }
        #expect(try diary.transactions()[0]["timestamp"] as? String == "2021-01-20T13:43:50.919846Z")
        #expect(try diary.history().output.contains("2021-01-20T13:43:50.919846Z"))
    }

    @Test("without its table of changes a history has transactions (HAZ-32)")
    func changesAreMissing() throws {
        let diary = try damaged("DROP TABLE ACHANGE")
        defer { diary.remove() }
        #expect(types(try diary.transactions()) == [0, 0, 0])
        #expect(try diary.history().errors.contains("the table ACHANGE is missing"))
        #expect(try Tool.run("inspect", diary.store.path).code == 0)
    }

    @Test("a store without its table of transactions is refused as one without a history (HAZ-32)")
    func transactionsAreMissing() throws {
        let diary = try damaged("DROP TABLE ATRANSACTION")
        defer { diary.remove() }
        expectRefusal(try diary.history(), containing: "the store has no persistent history")
    }

    @Test("entity numbers, kinds, columns and times that mean nothing (HAZ-32)")
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
