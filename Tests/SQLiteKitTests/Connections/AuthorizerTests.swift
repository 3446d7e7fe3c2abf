import SQLiteKit
import Testing

@Suite("What statements may do")
struct AuthorizerTests {
    @Test func whatIsRefusedIsNotCompiled() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a)")
        var asked: [StatementAccess] = []
        connection.authorize { access in
            asked.append(access)
            return access.action != .delete
        }
        let error = #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM t") }
        #expect(error?.code.primary == .notAuthorized)
        #expect(asked.contains { $0.action == .delete && $0.first == "t" })
        asked = []
        _ = try connection.rows("SELECT upper(a) FROM t")
        #expect(asked.contains { $0.action == .read && $0.first == "t" && $0.second == "a" })
        #expect(asked.contains { $0.action == .function && $0.second == "upper" })
        connection.authorize(nil)
        try connection.execute("DELETE FROM t")
    }
}
