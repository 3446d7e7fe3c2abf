import SQLiteKit
import Testing

@Suite("One statement that a user wrote")
struct SingleStatementTests {
    private func prepare(_ sql: String) throws -> Statement { try Connection.inMemory().prepareSingle(sql) }

    @Test(
        "blanks, comments and semicolons may stand around it",
        arguments: [
            "SELECT 1", "SELECT 1;", " ; SELECT 1 ; -- ;\n /* SELECT 2; */ ;; ", "SELECT 1 -- no end",
            "SELECT 1 /* no end",
        ])
    func blanksCommentsAndSemicolonsMayStandAround(_ sql: String) throws {
        let statement = try prepare(sql)
        #expect(try statement.step() && statement.int64(0) == 1)
        #expect(try !statement.step())
    }

    @Test(
        "anything else is refused with its place",
        arguments: [
            ("SELECT 1; SELECT 2", 9), ("SELECT 1; ;nonsense", 9), ("SELECT 1\u{0}", 8), ("SELECT \u{0}1", 7),
            ("SELECT nothing", 7),
            ("SELECT 'ä', nothing", 13), ("", nil), (" -- x", nil), (";;", nil),
        ] as [(String, Int?)])
    func anythingElseIsRefusedWithItsPlace(_ sql: String, _ offset: Int?) throws {
        let error = #expect(throws: SQLiteError.self) { try prepare(sql) }
        #expect(error?.offset == offset, "\(String(describing: error))")
    }

    @Test func parametersHaveTheirNames() throws {
        let statement = try prepare("SELECT :a, @b, $c, ?5, ?")
        #expect(statement.parameterCount == 6)
        #expect((1...6).map(statement.parameterName) == [":a", "@b", "$c", nil, "?5", nil])
    }

    @Test func columnsAreTracedToTheirTables() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a, b)")
        try connection.execute("CREATE VIEW v AS SELECT b AS c FROM t")
        let statement = try connection.prepareSingle("SELECT x.a AS y, v.c, x.a + 1, (SELECT b FROM t) FROM t AS x, v")
        let origins = (0..<4).map { statement.origin($0).map { "\($0.table).\($0.column)" } }
        // Libraries may be built without it; then nothing is known of any column.
        #expect(origins == ["t.a", "t.b", nil, "t.b"] || origins == [nil, nil, nil, nil])
    }
}
