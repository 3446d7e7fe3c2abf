import CoreData
import CoreDataRepair
import SQLiteKit
import StoreContract
import TestBasics
import Testing

@Suite("Statements that try more than to read")
struct SQLTrickTests {
    private static let refused = [
        "PRAGMA writable_schema = ON", "PRAGMA writable_schema(1)", "PRAGMA journal_mode = DELETE",
        "PRAGMA main.journal_mode(off)", "PRAGMA user_version = 7", "PRAGMA wal_checkpoint(TRUNCATE)",
        "PRAGMA optimize",
        "PRAGMA query_only = 0", "PRAGMA trusted_schema = 1", "PRAGMA temp_store_directory = '/tmp'",
        "PRAGMA incremental_vacuum",
        "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA shrink_memory", "PRAGMA mmap_size = 1000000",
        "PRAGMA data_store_directory('x')",
        "WITH x AS (SELECT 1) INSERT INTO ZHERO (Z_PK) SELECT 99 FROM x", "WITH x AS (SELECT 1) DELETE FROM ZHERO",
        "INSERT INTO ZHERO (Z_PK) VALUES (99) RETURNING Z_PK", "UPDATE ZHERO SET ZNAME = 'x' RETURNING ZNAME",
        "DELETE FROM ZHERO RETURNING *", "REPLACE INTO ZHERO (Z_PK) VALUES (1)", "/* SELECT */ DELETE FROM ZHERO",
        "SELECT/**/1;DELETE FROM ZHERO", "SELECT 1; SELECT 2", "SELECT 1;;; -- x\n SELECT 2",
        "SELECT 1 /* ; */ ; DROP TABLE ZHERO",
        "SELECT 1 -- \n; DELETE FROM ZHERO -- ", "EXPLAIN DELETE FROM ZHERO",
        "EXPLAIN QUERY PLAN UPDATE ZHERO SET ZNAME = 'x'",
        "EXPLAIN INSERT INTO ZHERO DEFAULT VALUES", "ATTACH '/tmp/other.sqlite' AS other", "ATTACH ':memory:' AS m",
        "DETACH main",
        "VACUUM", "VACUUM INTO '/tmp/copy.sqlite'", "REINDEX", "ANALYZE", "BEGIN", "BEGIN IMMEDIATE", "COMMIT",
        "ROLLBACK", "SAVEPOINT s",
        "RELEASE s", "CREATE TABLE t (a)", "CREATE TEMP TABLE t AS SELECT 1", "CREATE TEMP VIEW v AS SELECT 1",
        "CREATE VIEW v AS SELECT 1", "CREATE INDEX i ON ZHERO (ZNAME)",
        "CREATE TRIGGER t AFTER INSERT ON ZHERO BEGIN SELECT 1; END",
        "CREATE VIRTUAL TABLE f USING fts5(x)", "CREATE VIRTUAL TABLE temp.f USING fts5vocab(a, 'row')",
        "DROP TABLE ZHERO",
        "ALTER TABLE ZHERO RENAME TO other", "ALTER TABLE ZHERO ADD COLUMN x", "SELECT load_extension('/tmp/x.so')",
        "SELECT writefile('/tmp/x', 'y')", "SELECT readfile('/etc/passwd')", "SELECT edit('x')",
        "SELECT fts3_tokenizer('simple')",
        "SELECT fts3_tokenizer('simple', x'0000000000000000')", "SELECT fts5(NULL)", "SELECT sqlite_log(1, 'x')",
        "SELECT * FROM pragma_journal_mode('delete')", "SELECT * FROM pragma_user_version(5)",
        "SELECT * FROM pragma_wal_checkpoint",
        "SELECT * FROM pragma_writable_schema(1)", "SELECT * FROM pragma_query_only(0)",
        "INSERT INTO f(f) VALUES ('optimize')",
        "INSERT INTO sqlite_master VALUES ('a', 'b', 'c', 0, 'd')", "UPDATE sqlite_master SET sql = ''",
        "UPDATE sqlite_dbpage SET data = zeroblob(4096)", "SELECT 1\u{0}; DELETE FROM ZHERO", "\u{0}", "", ";",
        "-- SELECT 1",
        "SELECT * FROM (DELETE FROM ZHERO RETURNING *)", "VALUES (1) ; ; VALUES (2)",
        "SELECT sqlite_rename_table(1,2,3,4,5,6,7)",
    ]

    @Test("a trick is refused with a reason, and the store's bytes stay the same (BRW-46)", arguments: refused)
    func trickIsRefusedWithReason(_ sql: String) throws {
        let scene = try ConsoleScene()
        let before = try scene.bytes()
        let error = try scene.error(sql)
        #expect(error != nil, "it was carried out")
        #expect(error?.reason.isEmpty == false && error?.reason.contains("\n") == false)
        #expect(try scene.bytes() == before)
        #expect(try scene.ask("SELECT count(*) FROM ZHERO").rows == [[.integer(5)]])
    }

    @Test("the reason says what a statement would have done (BRW-46)")
    func reasonSaysWhatStatementWouldHaveDone() throws {
        let scene = try ConsoleScene()
        let reasons = [
            "WITH x AS (SELECT 1) DELETE FROM ZHERO": "the statement would delete from ZHERO",
            "PRAGMA journal_mode = DELETE": "the statement would set the pragma journal_mode",
            "PRAGMA optimize": "the statement would run the pragma optimize",
            "ATTACH 'x' AS y": "the statement would attach or detach a file",
            "SELECT load_extension('x')": "the statement would call the function load_extension",
            "SELECT 1; SELECT 2": "the text has more than one statement",
        ]
        for (sql, reason) in reasons { #expect(try scene.error(sql)?.reason == reason) }
    }

    private static let allowed = [
        "PRAGMA table_info(ZHERO)", "PRAGMA journal_mode", "PRAGMA page_count", "PRAGMA integrity_check",
        "PRAGMA index_list('ZHERO')",
        "SELECT * FROM pragma_table_info('ZHERO')", "EXPLAIN SELECT * FROM ZHERO",
        "EXPLAIN QUERY PLAN SELECT * FROM ZHERO",
        "SELECT json_extract('{\"a\": 1}', '$.a'), json('[1]') ->> 0", "VALUES (1), (2)", "SELECT * FROM sqlite_master",
        "SELECT value FROM json_each('[1, 2]')",
        "SELECT sum(Z_PK) OVER (ORDER BY Z_PK), row_number() OVER () FROM ZHERO",
        "WITH a AS MATERIALIZED (SELECT 1) SELECT * FROM a", "SELECT 1 -- ; DELETE FROM ZHERO",
        "/* ; */ SELECT 1 ; /* x */ ;",
        "SELECT strftime('%Y', ZBIRTHDATE + 978307200, 'unixepoch') y, count(*) FROM ZHERO GROUP BY y",
    ]

    @Test("what only reads is carried out (BRW-46)", arguments: allowed)
    func whatOnlyReadsIsCarriedOut(_ sql: String) throws {
        let scene = try ConsoleScene()
        let before = try scene.bytes()
        #expect(try scene.error(sql) == nil)
        #expect(try scene.bytes() == before)
    }

    /// Statements that would take all memory or all time.
    private static let greedy = [
        "SELECT randomblob(1000000000)", "SELECT zeroblob(2000000000)", "SELECT hex(zeroblob(500000000))",
        "SELECT length(printf('%*d', 1000000000, 1))", "SELECT replace(zeroblob(10000000), x'00', zeroblob(1000))",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT group_concat(x || hex(zeroblob(10000))) FROM c",
        "WITH RECURSIVE c(x) AS (SELECT 'a' UNION ALL SELECT x || x FROM c) SELECT length(x) FROM c",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c ORDER BY randomblob(100000)",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x, randomblob(60000) r FROM c ORDER BY r",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT sum(length(randomblob(10000000))) FROM c",
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT json_group_array(x) FROM c",
        "SELECT instr(zeroblob(8000000), zeroblob(4000000) || x'01')",
        "SELECT ltrim(hex(zeroblob(4000000)), hex(zeroblob(4000000)) || 'x')",
        "SELECT hex(zeroblob(100000)) LIKE replace(hex(zeroblob(400)), '0', '%0') || 'x'",
        "SELECT count(*) FROM ZHERO a, ZHERO b, ZHERO c, ZHERO d, ZHERO e, ZHERO f, ZHERO g, ZHERO h, ZHERO i, ZHERO j, ZHERO k, ZHERO l, ZHERO m, ZHERO n, ZHERO o",
    ]

    @Test("a greedy statement ends by a limit (BRW-46)", arguments: greedy)
    func greedyStatementEndsByLimit(_ sql: String) throws {
        let scene = try ConsoleScene()
        let before = try scene.bytes()
        let begin = ContinuousClock.now
        do {
            let answer = try scene.ask(sql, time: .milliseconds(500))
            #expect(!answer.isComplete || answer.rows.count == 1)
        } catch let error as SQLConsoleError {
            #expect(!error.reason.isEmpty)
        }
        #expect(begin.duration(to: .now) < .seconds(5))
        #expect(try scene.bytes() == before)
    }

    @Test("many long values at once stay within the memory (BRW-46)")
    func manyLongValues() throws {
        let scene = try ConsoleScene()
        let many = "SELECT " + (1...1_500).map { _ in "length(randomblob(16000000))" }.joined(separator: ", ")
        #expect(try scene.error(many)?.reason.contains("too big") == true)
        let few = try scene.ask("SELECT length(randomblob(8000000))")
        #expect(few.rows == [[.integer(8_000_000)]])
    }

    @Test("deep and long statements are refused (BRW-46)")
    func deepAndLongStatementsAreRefused() throws {
        let scene = try ConsoleScene()
        for depth in [300, 20_000] {
            let deep = "SELECT " + String(repeating: "(", count: depth) + "1" + String(repeating: ")", count: depth)
            let sum = "SELECT " + String(repeating: "1 + ", count: depth) + "1"
            let not = "SELECT " + String(repeating: "NOT ", count: depth) + "1"
            let nested =
                String(repeating: "SELECT * FROM (", count: depth) + "SELECT 1" + String(repeating: ")", count: depth)
            for sql in [sum, not, nested] { #expect(try scene.error(sql) != nil) }
            // Parentheses alone make no depth, but there is an end to them too.
            if depth > 1_000 { #expect(try scene.error(deep) != nil) }
        }
        let union = (1...600).map { "SELECT \($0)" }.joined(separator: " UNION ")
        #expect(try scene.error(union)?.reason.contains("too many terms") == true)
        #expect(try scene.error("SELECT '" + String(repeating: "a", count: 200_000) + "'") != nil)
        #expect(try scene.error("SELECT ?999999") != nil)
    }

    @Test("views and triggers of the file do no more than a statement (BRW-46)")
    func schemaOfTheFile() throws {
        let scene = try ConsoleScene()
        let connection = try Connection.open(scene.url.path)
        try connection.execute("CREATE VIEW evil AS SELECT load_extension('/tmp/x.so')")
        try connection.execute("CREATE VIEW writer AS SELECT * FROM pragma_user_version(9)")
        try connection.execute("CREATE VIEW plain AS SELECT ZNAME FROM ZHERO")
        connection.close()
        let before = try scene.bytes()
        #expect(try scene.error("SELECT * FROM evil") != nil)
        #expect(try scene.error("SELECT * FROM writer") != nil)
        #expect(try scene.ask("SELECT count(*) FROM plain").rows == [[.integer(5)]])
        #expect(try scene.bytes() == before)
    }

    @Test("tables of a search are asked, and their commands are refused (BRW-46)")
    func searchTables() throws {
        let scene = try ConsoleScene()
        let connection = try Connection.open(scene.url.path)
        try connection.execute("CREATE VIRTUAL TABLE notes USING fts5(body)")
        try connection.execute("INSERT INTO notes (body) VALUES ('a long night'), ('a short day')")
        connection.close()
        let before = try scene.bytes()
        for command in ["optimize", "rebuild", "delete-all", "integrity-check", "flush"] {
            #expect(
                try scene.error("INSERT INTO notes (notes) VALUES ('\(command)')")?.reason
                    == "the statement would insert into notes")
        }
        #expect(try scene.error("INSERT INTO notes (notes, rank) VALUES ('merge', 500)") != nil)
        #expect(try scene.error("DELETE FROM notes") != nil && scene.error("UPDATE notes_data SET block = x''") != nil)
        let found = try scene.ask(
            "SELECT rowid, highlight(notes, 0, '[', ']'), bm25(notes) < 0 FROM notes WHERE notes MATCH 'night'")
        #expect(found.rows == [[.integer(1), .text("a long [night]"), .integer(1)]])
        #expect(try scene.bytes() == before)
    }

    @Test("a file that is not a store in SQLite is refused (BRW-46)")
    func otherFiles() throws {
        let folder = try TemporaryFolder()
        let xml = try Stack(SuperDB.model(), url: folder.url.appendingPathComponent("a.xml"), kind: .xml)
        try xml.context.save()
        for path in [xml.url.path, "/dev/null", folder.url.path, "/dev/zero"] {
            #expect(throws: (any Error).self) {
                try SQLiteConsole(storeAt: URL(fileURLWithPath: path), model: nil, configuration: nil)
            }
        }
    }
}
