import SQLiteKit
import Testing

struct CollationTests {
    let connection: Connection

    init() throws {
        connection = try Connection.inMemory()
        try connection.registerCollation("BY_LENGTH") { left, right in left.count - right.count }
    }

    @Test func collationOrdersAndCompares() throws {
        try connection.executeScript("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('ccc'), ('é'), ('a'), ('')")
        let rows = try connection.rows("SELECT a FROM t ORDER BY a COLLATE BY_LENGTH, rowid")
        #expect(rows == [[""], ["a"], ["é"], ["ccc"]])
        #expect(try connection.value("SELECT 'xy' = 'ab' COLLATE BY_LENGTH") == 1)
    }

    @Test func missingCollationIsAnError() throws {
        let error = sqliteError { _ = try connection.rows("SELECT 1 ORDER BY 'a' COLLATE nobody") }
        #expect(error?.message == "no such collation sequence: nobody")
    }
}
