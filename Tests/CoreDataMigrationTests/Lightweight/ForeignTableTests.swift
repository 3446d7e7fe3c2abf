import CoreData
import SQLiteKit
import StoreContract
import TestBasics
import Testing

/// What becomes of tables that are not the model's and name objects by the numbers of their entities.
@Suite struct ForeignTableTests {
    private static func model(_ names: String...) -> NSManagedObjectModel {
        MigrationScene.model { temporary in for name in names { temporary.entity(name, ["name": .stringAttributeType]) }
        }
    }

    /// A store of entities B (1), D (2) and F (3) with CloudKit's tables, as far as they are known.
    private func mirrored(_ further: String...) throws -> MigrationScene {
        let scene = try MigrationScene(Self.model("B", "D", "F")) { context in
            for entity in ["B", "D", "F"] { context.insert(entity, ["name": entity]) }
        }
        let statements = [
            """
            CREATE TABLE ANSCKRECORDMETADATA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZENTITYID INTEGER, \
            ZENTITYPK INTEGER, ZCKRECORDNAME VARCHAR, UNIQUE (ZENTITYID, ZENTITYPK) )
            """,
            """
            CREATE TABLE ANSCKHISTORYANALYZERSTATE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
            ZENTITYID INTEGER, ZENTITYPK INTEGER )
            """,
            "CREATE TABLE ANSCKRECORDZONEMOVERECEIPT ( Z_PK INTEGER PRIMARY KEY, ZRECORDMETADATA INTEGER )",
            "CREATE TABLE OWNMARKS ( ZENTITY INTEGER, ZENTITYPK INTEGER, MARK VARCHAR )",
            "CREATE TABLE OWNENTITIES ( ZENTITY INTEGER )",
            """
            INSERT INTO ANSCKRECORDMETADATA VALUES (1, 16008, 1, 1, 1, 'b'), (2, 16008, 1, 2, 1, 'd'), \
            (3, 16008, 1, 3, 1, 'f'), (4, 16008, 1, NULL, NULL, 'none'), (5, 16008, 1, 7, 1, 'left over'), \
            (6, 16008, 1, 16002, 1, 'the framework''s')
            """,
            "INSERT INTO ANSCKHISTORYANALYZERSTATE SELECT Z_PK, 16010, 1, ZENTITYID, ZENTITYPK FROM ANSCKRECORDMETADATA",
            "INSERT INTO ANSCKRECORDZONEMOVERECEIPT VALUES (1, 2), (2, 3), (3, NULL)",
            "INSERT INTO OWNMARKS VALUES (1, 1, 'b'), (2, 1, 'd'), (3, 1, 'f')", "INSERT INTO OWNENTITIES VALUES (3)",
        ]
        try change(scene, statements + further)
        return scene
    }

    private func change(_ scene: MigrationScene, _ statements: [String]) throws {
        let connection = try Connection.open(scene.url.path, OpenOptions(mode: .readWrite))
        defer { connection.close() }
        for statement in statements { try connection.execute(statement) }
    }

    private func numbers(_ scene: MigrationScene) throws -> [String: Int64] {
        let rows = try scene.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT < 16000")
        return Dictionary(rows.map { ($0[0].text ?? "", $0[1].integer ?? 0) }, uniquingKeysWith: { first, _ in first })
    }

    @Test("CloudKit's tables name the same objects after entities were renumbered, and none that are gone (MIG-18)")
    func mirroringTablesFollow() throws {
        let scene = try mirrored()
        // F becomes 4, B 2, and D goes: numbers move onto each other.
        try scene.with(Self.model("A", "B", "C", "F")) { context in
            let names = try context.all("F").map { $0.value(forKey: "name") as? String }
            #expect(names == ["F"])
        }
        let numbers = try numbers(scene)
        #expect(numbers == ["A": 1, "B": 2, "C": 3, "F": 4])
        for table in ["ANSCKRECORDMETADATA", "ANSCKHISTORYANALYZERSTATE"] {
            let rows = try scene.rows("SELECT Z_PK, ZENTITYID, ZENTITYPK, Z_ENT < 16000 FROM \(table) ORDER BY Z_PK")
            #expect(rows.map { $0[0].integer } == [1, 3, 4, 6], "\(table)")
            #expect(rows.map { $0[1].integer } == [2, 4, nil, 16002], "\(table)")
            #expect(rows.map { $0[2].integer } == [1, 1, nil, 1], "\(table)")
            #expect(rows.allSatisfy { $0[3].integer == 0 }, "\(table)")
        }
        let receipts = try scene.rows("SELECT Z_PK FROM ANSCKRECORDZONEMOVERECEIPT")
        #expect(receipts.map { $0[0].integer } == [2, 3])
        let marks = try scene.rows("SELECT MARK, ZENTITY FROM OWNMARKS ORDER BY MARK")
        #expect(marks.map { [$0[0].text, $0[1].integer.map(String.init)] } == [["b", "2"], ["f", "4"]])
        // Without a key beside it a column of this name may be anything.
        #expect(try scene.value("SELECT ZENTITY FROM OWNENTITIES")?.integer == 3)
    }

    @Test("entity numbers that cannot be carried over refuse the migration, which changes nothing (MIG-18)")
    func unknownColumns() throws {
        for (statement, word) in [
            ("ALTER TABLE ANSCKRECORDMETADATA ADD COLUMN ZOTHERENTITYID INTEGER", "ZOTHERENTITYID"),
            ("CREATE TRIGGER MINE AFTER UPDATE ON ANSCKRECORDMETADATA BEGIN DELETE FROM ZB; END", "MINE"),
        ] {
            let scene = try mirrored(statement)
            let before = try scene.rows("SELECT * FROM ANSCKRECORDMETADATA")
            let error = expectError(134110) { try scene.with(Self.model("A", "B", "D", "F")) { _ in } }
            #expect(error?.localizedDescription.contains("ANSCKRECORDMETADATA") == true)
            #expect(error?.localizedDescription.contains(word) == true)
            #expect(try scene.rows("SELECT * FROM ANSCKRECORDMETADATA") == before)
            #expect(try numbers(scene) == ["B": 1, "D": 2, "F": 3])
        }
    }
}
