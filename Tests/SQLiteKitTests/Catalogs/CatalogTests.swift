import SQLiteKit
import Testing

struct CatalogTests {
    let connection: Connection

    init() throws { connection = try Connection.inMemory() }

    @Test func catalogHoldsEverythingInOrder() throws {
        try connection.executeScript(
            """
            CREATE TABLE ZCAR ( Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR, ZPRICE DECIMAL , plain);
            CREATE TABLE "Z_1 odd""name" (a, b AS (a + 1) STORED, PRIMARY KEY (a));
            CREATE INDEX i ON ZCAR (ZNAME COLLATE BINARY ASC);
            CREATE VIEW v AS SELECT 1;
            CREATE TRIGGER r AFTER INSERT ON ZCAR BEGIN SELECT 1; END;
            """)
        let catalog = try connection.catalog()
        #expect(catalog.tables.map(\.name) == ["ZCAR", "Z_1 odd\"name"])
        #expect(catalog.tables[0].columns.map(\.name) == ["Z_PK", "ZNAME", "ZPRICE", "plain"])
        #expect(catalog.tables[0].columns.map(\.declaredType) == ["INTEGER", "VARCHAR", "DECIMAL", ""])
        #expect(catalog.tables[1].columns.map(\.isGenerated) == [false, true])
        #expect(catalog.indexes.map(\.name) == ["i"])
        #expect(catalog.indexes.first?.table == "ZCAR")
        #expect(catalog.indexes.first?.sql == "CREATE INDEX i ON ZCAR (ZNAME COLLATE BINARY ASC)")
        #expect(catalog.triggers.map(\.name) == ["r"])
        #expect(catalog.views.map(\.sql) == ["CREATE VIEW v AS SELECT 1"])
        #expect(catalog.table("zcar") == catalog.tables[0])
        #expect(catalog.table("ZBOAT") == nil)
    }

    @Test("a virtual table of an unknown module is listed and not run (HAZ-11)") func virtualTableIsNotRun() throws {
        try connection.configure(.defensive, false)
        try connection.execute("CREATE TABLE a (x)")
        try connection.setPragma("writable_schema", to: 1)
        try connection.execute(
            "INSERT INTO sqlite_master VALUES ('table', 'weird', 'weird', 0, 'CREATE VIRTUAL TABLE weird USING nowhere(a)')"
        )
        try connection.setPragma("writable_schema", to: 0)
        let copy = try Connection.inMemory()
        try connection.backUp(to: copy)
        let catalog = try copy.catalog()
        #expect(catalog.table("weird")?.isVirtual == true)
        #expect(catalog.table("weird")?.columns == [])
        #expect(catalog.table("a")?.columns.map(\.name) == ["x"])
    }
}
