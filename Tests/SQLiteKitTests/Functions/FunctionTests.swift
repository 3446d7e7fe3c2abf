import SQLiteKit
import Testing

struct FunctionTests {
    let connection: Connection

    init() throws { connection = try Connection.inMemory() }

    private struct Refused: Error, CustomStringConvertible { let description = "refused by the function" }

    @Test func functionTakesAndGivesEveryStorageClass() throws {
        try connection.registerFunction("same", argumentCount: 1, flags: .deterministic) { $0[0] }
        for value: Value in [.null, 7, 1.5, "tëxt", "", .blob([1, 0, 2]), .blob([])] {
            #expect(try connection.value("SELECT same(?)", [value]) == value)
        }
    }

    @Test func functionReadsBytesWithoutCopies() throws {
        try connection.registerFunction("size", argumentCount: nil) { arguments in
            .integer((0..<arguments.count).reduce(0) { $0 + Int64(arguments.textBytes($1).count) })
        }
        #expect(try connection.value("SELECT size('ab', 'é', NULL)") == 4)
        #expect(try connection.value("SELECT size()") == 0)
    }

    @Test func errorOfAFunctionEndsTheStatement() throws {
        try connection.registerFunction("fail", argumentCount: 0) { _ in throw Refused() }
        #expect(sqliteError { _ = try connection.value("SELECT fail()") }?.message == "refused by the function")
    }

    @Test("a trigger of the file calls innocuous functions only (HAZ-10)") func triggerCallsInnocuousOnly() throws {
        var calls: [String] = []
        for (name, flags) in [("harmless", FunctionFlags.innocuous), ("plain", []), ("direct", .directOnly)] {
            try connection.registerFunction(name, argumentCount: 0, flags: flags) { _ in
                calls.append(name)
                return 1
            }
            try connection.executeScript(
                "CREATE TABLE \(name)_t (a); CREATE TRIGGER \(name)_r AFTER INSERT ON \(name)_t BEGIN SELECT \(name)(); END"
            )
        }
        try connection.execute("INSERT INTO harmless_t VALUES (1)")
        #expect(sqliteError { try connection.execute("INSERT INTO plain_t VALUES (1)") }?.code == .error)
        #expect(sqliteError { try connection.execute("INSERT INTO direct_t VALUES (1)") }?.code == .error)
        #expect(calls == ["harmless"])
    }

    @Test func triggersCanBeSwitchedOff() throws {
        try connection.executeScript(
            "CREATE TABLE a (x); CREATE TABLE b (x); CREATE TRIGGER r AFTER INSERT ON a BEGIN INSERT INTO b VALUES (1); END"
        )
        try connection.configure(.triggers, false)
        try connection.execute("INSERT INTO a VALUES (1)")
        #expect(try connection.value("SELECT count(*) FROM b") == 0)
    }

    private final class Folded {
        let text: String
        init(_ text: String) { self.text = text }
    }

    @Test func constantArgumentIsPreparedOnceAStatement() throws {
        var made = 0
        try connection.registerFunction("has", argumentCount: 2, flags: .deterministic) { arguments in
            let pattern = arguments.prepared(1) {
                made += 1
                return Folded(String(decoding: arguments.textBytes(1), as: UTF8.self).lowercased())
            }
            let text = String(decoding: arguments.textBytes(0), as: UTF8.self).lowercased()
            return .integer(text.contains(pattern.text) ? 1 : 0)
        }
        let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100) "
        #expect(try connection.value(sql + "SELECT count(*) FROM n WHERE has('ROW' || i, ?)", ["Row1"]) == 12)
        #expect(made == 1)
        made = 0
        #expect(try connection.value(sql + "SELECT count(*) FROM n WHERE has('ROW' || i, 'w' || i)") == 100)
        #expect(made == 100)
    }

    @Test func functionCanBeRemoved() throws {
        try connection.registerFunction("gone", argumentCount: 0) { _ in 1 }
        #expect(try connection.value("SELECT gone()") == 1)
        try connection.removeFunction("gone", argumentCount: 0)
        #expect(sqliteError { _ = try connection.value("SELECT gone()") }?.message == "no such function: gone")
    }

    @Test func closureLivesAsLongAsTheRegistration() throws {
        final class Witness {}
        var witness: Witness? = Witness()
        weak let watched = witness
        let other = try Connection.inMemory()
        try other.registerFunction("f", argumentCount: 0) { [witness] _ in witness == nil ? 0 : 1 }
        witness = nil
        #expect(watched != nil)
        #expect(try other.value("SELECT f()") == 1)
        other.close()
        #expect(watched == nil)
        #expect(
            sqliteError { try connection.registerFunction("f", argumentCount: 1_000) { _ in .null } }?.code == .misuse)
    }
}
