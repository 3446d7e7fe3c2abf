import CoreData
import SQLiteKit
import StoreContract
import Testing

@testable import CoreDataSQLite

/// Saves and batch requests record what they change, in the tables of Apple's framework.
@Suite struct HistoryWritingTests {
    @Test("the tables and indexes are those that Apple's framework makes (CTX-34)")
    func tablesAreApples() throws {
        let scene = try HistoryScene()
        let sql = try scene.rows(
            "SELECT sql FROM sqlite_master WHERE tbl_name IN ('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING') ORDER BY rowid"
        ).compactMap { $0[0].text }
        let names = ["AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID"]
        #expect(
            sql == [
                "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
                    + "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB, "
                    + "ZTOMBSTONE1 BLOB )",
                "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, "
                    + "ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, "
                    + "ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
                "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
                "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
            ] + names.map { "CREATE INDEX ATRANSACTION_Z\($0)TS_INDEX ON ATRANSACTION (Z\($0)TS)" } + [
                "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
                "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
                "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
            ])
        #expect(try scene.rows("SELECT * FROM sqlite_master WHERE type = 'trigger'").isEmpty)
    }

    @Test("a save records inserts, updates and deletes once, with author and context (CTX-34)")
    func saveIsRecorded() throws {
        let scene = try HistoryScene()
        scene.context.transactionAuthor = "importer"
        scene.context.name = "background"
        let ann = scene.context.insert("Hero", ["name": "Ann"])
        scene.context.insert("SuperHero", ["name": "Bob"])
        try scene.context.save()
        #expect(try scene.newest() == ["+Hero1", "+SuperHero2"] || scene.newest() == ["+Hero2", "+SuperHero1"])
        ann.setValue("Anna", forKey: "name")
        ann.setValue(3, forKey: "strength")
        try scene.context.save()
        #expect(try scene.newest() == ["~Hero\(ann.objectID.key) name strength"])
        scene.context.delete(ann)
        try scene.context.save()
        #expect(try scene.newest() == ["-Hero\(ann.objectID.key) Anna"])
        #expect(
            try scene.rows("SELECT Z_PK, ZCHANGETYPE, Z_ENT, Z_OPT, ZENTITYPK FROM ACHANGE").map { $0.prefix(4) }
                == [[1, 0, 16001], [2, 0, 16001], [3, 1, 16001], [4, 2, 16001]].map { numbers in
                    ArraySlice(numbers.map { Value.integer($0) } + [.null])
                })
        let texts = try scene.rows(
            "SELECT DISTINCT a.ZNAME, c.ZNAME, p.ZNAME FROM ATRANSACTION t JOIN ATRANSACTIONSTRING a ON a.Z_PK = ZAUTHORTS "
                + "JOIN ATRANSACTIONSTRING c ON c.Z_PK = ZCONTEXTNAMETS JOIN ATRANSACTIONSTRING p ON p.Z_PK = ZPROCESSIDTS"
        )
        #expect(
            texts == [[.text("importer"), .text("background"), .text(ProcessInfo.processInfo.processName)]])
        #expect(
            try scene.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000").map { $0[3] }
                .prefix(2)
                == [.integer(4), .integer(3)])
    }

    @Test("changed properties are bits: to-one relationships, attributes, to-many relationships, the first one highest")
    func propertiesArePacked() throws {
        let scene = try HistoryScene()
        // hunter, mentor, nemesis | birthDate, name, secretIdentity, strength | powers, students, teams
        let ann = scene.context.insert("Hero", ["name": "Ann"])
        let team = scene.context.insert("Team", ["name": "A"])
        try scene.context.save()
        func columns() throws -> Value {
            try #require(
                try scene.rows(
                    "SELECT ZCOLUMNS FROM ACHANGE c JOIN Z_PRIMARYKEY e ON e.Z_ENT = c.ZENTITY WHERE Z_NAME = 'Hero' "
                        + "ORDER BY c.Z_PK DESC LIMIT 1"
                ).first?.first)
        }
        #expect(try columns() == .null)
        ann.setValue(1, forKey: "strength")
        try scene.context.save()
        #expect(try columns() == .blob([0x02, 0x00]))
        ann.setValue(NSSet(object: team), forKey: "teams")
        try scene.context.save()
        #expect(try columns() == .blob([0x00, 0x40]))
        #expect(try scene.newest() == ["~Hero1 teams", "~Team1 members"])
        ann.setValue(scene.context.insert("Hero", ["name": "Cid"]), forKey: "mentor")
        try scene.context.save()
        #expect(try scene.newest() == ["+Hero2", "~Hero1 mentor"])
    }

    @Test("owners are recorded when members come, go or change sides")
    func ownersAreRecorded() throws {
        let scene = try HistoryScene()
        let ann = scene.context.insert("Hero", ["name": "Ann"])
        try scene.context.save()
        let bob = scene.context.insert("Hero", ["name": "Bob"])
        let flight = scene.context.insert("Power", ["name": "Flight", "hero": ann])
        try scene.context.save()
        #expect(try scene.newest() == ["+Hero2", "+Power1", "~Hero1 powers"])
        flight.setValue(bob, forKey: "hero")
        try scene.context.save()
        #expect(try scene.newest() == ["~Hero1 powers", "~Hero2 powers", "~Power1 hero"])
        scene.context.delete(flight)
        try scene.context.save()
        #expect(try scene.newest() == ["-Power1", "~Hero2 powers"])
    }

    @Test("cascades are recorded, and rows that are inserted and deleted at once are not")
    func cascadesAreRecorded() throws {
        let scene = try HistoryScene()
        let ann = scene.context.insert("Hero", ["name": "Ann"])
        for name in ["Flight", "Sight"] { scene.context.insert("Power", ["name": name, "hero": ann]) }
        try scene.context.save()
        scene.context.delete(ann)
        try scene.context.save()
        #expect(try scene.newest() == ["-Hero1 Ann", "-Power1", "-Power2"])
    }

    @Test("a save that fails or changes nothing records nothing, and spends no number")
    func nothingIsRecordedOfNothing() throws {
        let scene = try HistoryScene()
        let ann = scene.context.insert("Hero", ["name": "Ann"])
        try scene.context.save()
        ann.setValue("Ann", forKey: "name")
        try scene.context.save()
        #expect(try scene.history.historyExtent() == HistoryExtent(oldest: 1, newest: 1))
        try scene.file.connection.execute("UPDATE ZHERO SET Z_OPT = Z_OPT + 1")
        ann.setValue("Anna", forKey: "name")
        #expect(throws: NSError.self) { try scene.context.save() }
        scene.context.rollback()
        scene.context.insert("Team", ["name": "A"])
        try scene.context.save()
        #expect(try scene.newest() == ["+Team1"])
        #expect(try scene.history.historyExtent() == HistoryExtent(oldest: 1, newest: 2))
    }

    @Test("many changes of several kinds are written many a statement, in ascending keys")
    func manyChanges() throws {
        let scene = try HistoryScene()
        let heroes = (0..<100).map { scene.context.insert("Hero", ["name": "\($0)", "strength": 1]) }
        try scene.context.save()
        for (number, hero) in heroes.enumerated() {
            if number < 45 { hero.setValue(2, forKey: "strength") } else { scene.context.delete(hero) }
        }
        for number in 0..<41 { scene.context.insert("Hero", ["name": "new \(number)"]) }
        final class Log { var count = 0 }
        let log = Log()
        scene.file.connection.trace = { if $0.contains("INTO ACHANGE") { log.count += 1 } }
        try scene.context.save()
        scene.file.connection.trace = nil
        // 40 and one more, 40 and five more, 40 and 15 more.
        #expect(log.count == 2 + 6 + 16)
        let rows = try scene.rows(
            "SELECT ZCHANGETYPE, min(Z_PK), max(Z_PK), count(DISTINCT ZENTITYPK) FROM ACHANGE WHERE ZTRANSACTIONID = 2 "
                + "GROUP BY ZCHANGETYPE ORDER BY 1")
        #expect(rows == [[0, 101, 141, 41], [1, 142, 186, 45], [2, 187, 241, 55]].map { $0.map { .integer($0) } })
        #expect(
            try scene.rows("SELECT count(*), count(ZCOLUMNS) FROM ACHANGE WHERE ZTRANSACTIONID = 2")
                == [[.integer(141), .integer(45)]])
        let kept = try scene.rows("SELECT count(*) FROM ACHANGE WHERE ZCHANGETYPE = 2 AND ZTOMBSTONE1 IS NOT NULL")
        #expect(kept == [[.integer(55)]])
    }

    @Test("batch requests record every row, with the properties that have other values now (CTX-36)")
    func batchesAreRecorded() throws {
        let scene = try HistoryScene()
        scene.context.transactionAuthor = "batch"
        let insert = NSBatchInsertRequest(
            entityName: "Hero", objects: [["name": "Ann", "strength": 1], ["name": "Bob", "strength": 2]])
        try scene.context.execute(insert)
        #expect(try scene.newest() == ["+Hero1", "+Hero2"])
        let update = NSBatchUpdateRequest(entityName: "Hero")
        update.propertiesToUpdate = ["strength": 2, "secretIdentity": "x"]
        try scene.context.execute(update)
        #expect(try scene.newest() == ["~Hero1 secretIdentity strength", "~Hero2 secretIdentity"])
        let ann = try #require(try scene.context.all("Hero", sortedBy: "name").first)
        scene.context.insert("Power", ["name": "Flight", "hero": ann])
        try scene.context.save()
        try scene.context.execute(
            NSBatchDeleteRequest(
                fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Hero")))
        #expect(try scene.newest() == ["-Hero1 Ann", "-Hero2 Bob", "-Power1"])
        let authors = try scene.rows("SELECT DISTINCT ZAUTHORTS FROM ATRANSACTION")
        #expect(authors.count == 1 && authors[0][0] != .null)
    }

    @Test(
        "a store that has objects is followed from when history is turned on, and is written without it once it is deleted"
    )
    func historyIsTurnedOnAndOff() throws {
        let scene = try HistoryScene()
        try scene.open([:])
        scene.context.insert("Hero", ["name": "Ann"])
        try scene.context.save()
        #expect(scene.store.objects?.history == nil)
        try scene.open()
        let ann = try #require(try scene.context.all("Hero").first)
        ann.setValue("Anna", forKey: "name")
        try scene.context.save()
        #expect(try scene.newest() == ["~Hero1 name"])
        try scene.open([:])
        #expect(scene.store.isReadOnly)
        try scene.open()
        #expect(try scene.history.purgeHistory(before: .time(.infinity)) == 1)
        try scene.open([:])
        #expect(!scene.store.isReadOnly)
        try scene.open()
        scene.context.insert("Hero", ["name": "Bob"])
        try scene.context.save()
        #expect(try scene.history.historyExtent() == HistoryExtent(oldest: 2, newest: 2))
    }

    @Test("history in tables of another shape is off with the reason, and saves go on (HAZ-32)")
    func foreignTablesTurnHistoryOff() throws {
        let scene = try HistoryScene()
        for statement in ["DROP TABLE ACHANGE", "CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZCHANGETYPE INTEGER)"]
        {
            try scene.file.connection.execute(statement)
        }
        try scene.open()
        #expect(scene.store.objects?.history == nil)
        let reason = try #require(scene.store.objects?.reasonForNoHistory)
        #expect(reason.contains("ACHANGE") && reason.contains("ZENTITY"))
        #expect(scene.file.problems.contains(reason))
        scene.context.insert("Hero", ["name": "Ann"])
        try scene.context.save()
    }

    @Test("keys go on behind the greatest one, whatever the record says; what is missing is made (HAZ-17, HAZ-32)")
    func damagedRecordsAreCorrected() throws {
        let scene = try HistoryScene()
        for name in ["Ann", "Bob"] {
            scene.context.insert("Hero", ["name": name])
            try scene.context.save()
        }
        for statement in [
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT = 16001", "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 16002",
            "DROP TABLE ATRANSACTIONSTRING", "DROP INDEX ACHANGE_ZTRANSACTIONID_INDEX",
        ] { try scene.file.connection.execute(statement) }
        try scene.open()
        scene.context.insert("Hero", ["name": "Cid"])
        try scene.context.save()
        #expect(
            try scene.rows("SELECT Z_PK, ZTRANSACTIONID FROM ACHANGE") == (1...3).map { [.integer($0), .integer($0)] })
        #expect(try scene.newest() == ["+Hero3"])
    }
}
