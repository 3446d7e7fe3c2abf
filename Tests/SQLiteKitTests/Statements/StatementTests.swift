import SQLiteKit
import Testing

struct StatementTests {
    let connection: Connection

    init() throws { connection = try Connection.inMemory() }

    @Test func everyStorageClassGoesThere() throws {
        let values: [Value] = [
            .null, .integer(.min), .integer(.max), .real(-0.5), .real(.infinity), .text(""), .text("héllo 👩‍👩‍👧"),
            .text("a\0b"), .blob([]), .blob([0, 255, 1]),
        ]
        for value in values {
            let row = try connection.rows("SELECT ?1, typeof(?1)", [value])
            #expect(row.first?.first == value)
            #expect(row.first?.last == .text("\(value.type)"))
        }
        #expect(try connection.rows("SELECT ?", [.real(.nan)]) == [[.null]])
    }

    @Test func columnsAreReadInPlace() throws {
        try connection.withStatement("SELECT 7 AS one, 2.5, 'text', x'0102', NULL") { statement throws in
            #expect(try statement.step())
            #expect(statement.columnCount == 5)
            #expect(statement.columnNames.first == "one")
            #expect((0..<5).map(statement.columnType) == [.integer, .real, .text, .blob, .null])
            #expect(statement.int64(0) == 7)
            #expect(statement.double(1) == 2.5)
            #expect(Array(statement.textBytes(2)) == Array("text".utf8))
            #expect(Array(statement.blobBytes(3)) == [1, 2])
            #expect(statement.isNull(4))
            #expect(statement.textBytes(4).isEmpty)
            #expect(statement.columnType(99) == .null)
            #expect(try !statement.step())
        }
    }

    @Test func borrowedBytesAreBoundWithoutACopy() throws {
        try connection.withStatement("SELECT ?1 || 'z', length(?2)") { statement throws in
            try "abc".utf8.withContiguousStorageIfAvailable { text in
                try statement.bind(text: UnsafeRawBufferPointer(text), at: 1, .borrowed)
                try [UInt8](repeating: 3, count: 9).withUnsafeBytes { blob in
                    try statement.bind(blob: blob, at: 2, .borrowed)
                    #expect(try statement.step())
                    #expect(statement.values() == ["abcz", 9])
                    statement.reset()
                    statement.clearBindings()
                }
            }
        }
    }

    @Test("bytes that are not UTF-8 are lent as they are and read with replacement (HAZ-25)")
    func invalidUTF8IsReplaced() throws {
        try connection.withStatement("SELECT CAST(x'41FF42' AS TEXT)") { statement throws in
            #expect(try statement.step())
            #expect(Array(statement.textBytes(0)) == [0x41, 0xFF, 0x42])
            #expect(statement.text(0) == "A\u{FFFD}B")
        }
    }

    @Test func resetKeepsBindingsAndRunsAgain() throws {
        try connection.withStatement("SELECT ?") { statement throws in
            try statement.bind(Int64(5), at: 1)
            #expect(try statement.step())
            statement.reset()
            #expect(try statement.step())
            #expect(statement.int64(0) == 5)
            statement.reset()
            statement.clearBindings()
            #expect(try statement.step())
            #expect(statement.isNull(0))
        }
    }

    @Test func wrongParametersAreErrors() throws {
        #expect(sqliteError { try connection.execute("SELECT ?", []) }?.code == .range)
        try connection.withStatement("SELECT ?") { statement throws in
            #expect(sqliteError { try statement.bind(Int64(1), at: 2) }?.code == .range)
            #expect(sqliteError { try statement.bind(Int64(1), at: Int.max) }?.code == .range)
            #expect(sqliteError { try statement.bindNull(at: -1) }?.code == .range)
        }
    }

    @Test func textWithoutAStatementIsAnError() throws {
        #expect(sqliteError { _ = try connection.prepare("  -- nothing\n") }?.code == .misuse)
        #expect(sqliteError { _ = try connection.prepare("") }?.code == .misuse)
        let error = try #require(sqliteError { _ = try connection.prepare("SELECT * FROM nowhere") })
        #expect(error.message == "no such table: nowhere")
        #expect(error.sql == "SELECT * FROM nowhere")
    }

    @Test func scriptRunsEveryStatement() throws {
        try connection.executeScript(
            "CREATE TABLE a (x); -- one\nINSERT INTO a VALUES (1); ;; INSERT INTO a VALUES ('ü;2');\n")
        #expect(try connection.rows("SELECT x FROM a") == [[1], ["ü;2"]])
        #expect(sqliteError { try connection.executeScript("DELETE FROM a; NONSENSE") }?.code == .error)
        #expect(try connection.rows("SELECT x FROM a").isEmpty)
    }

    @Test func largeResultIsReadRowByRow() throws {
        try connection.execute("CREATE TABLE n (a, b, c)")
        let fill = "WITH RECURSIVE i(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM i LIMIT 100000) "
        try connection.execute("INSERT INTO n " + fill + "SELECT x, x * 0.5, 'text ' || x FROM i")
        try connection.withStatement("SELECT a, b, c FROM n") { statement throws in
            var sum: (Int64, Double, Int) = (0, 0, 0)
            while try statement.step() {
                sum.0 += statement.int64(0)
                sum.1 += statement.double(1)
                sum.2 += statement.textBytes(2).count
            }
            #expect(sum == (5_000_050_000, 2_500_025_000, 988_895))
        }
    }
}
