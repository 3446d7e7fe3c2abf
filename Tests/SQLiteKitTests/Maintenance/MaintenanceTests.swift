import Foundation
import SQLiteKit
import Testing

struct MaintenanceTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func checkpointMovesTheLogIntoTheFile() throws {
        let connection = try Connection.open(try scratch.database(journal: "WAL"))
        try connection.execute("INSERT INTO t (b) VALUES ('x')")
        let result = try connection.checkpoint(.truncate)
        #expect(result == .init(logged: 0, checkpointed: 0))
        let size = try FileManager.default.attributesOfItem(atPath: scratch.file() + "-wal")[.size] as? Int
        #expect(size == 0)
        let rollback = try Connection.open(try scratch.database("b"))
        #expect(try rollback.checkpoint() == .init(logged: -1, checkpointed: -1))
    }

    @Test func soundFileHasNoFaults() throws {
        let connection = try Connection.open(try scratch.database(rows: 10))
        #expect(try connection.integrityFaults().isEmpty)
        #expect(try connection.quickFaults().isEmpty)
    }

    @Test("an index out of step with its table is found by the full check (HAZ-12)")
    func indexOutOfStepIsFound() throws {
        let path = try scratch.database(rows: 50)
        try Connection.open(path).execute("CREATE INDEX i ON t (b)")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let place = try #require(bytes.range(of: Data("row 17".utf8), options: .backwards))
        bytes.replaceSubrange(place, with: Data("row 1z".utf8))
        try bytes.write(to: URL(fileURLWithPath: path))
        let connection = try Connection.open(path)
        #expect(try !connection.integrityFaults().isEmpty)
        #expect(try connection.integrityFaults(limit: 1).count == 1)
    }

    @Test func pragmaWordsAreChecked() throws {
        let connection = try Connection.inMemory()
        #expect(sqliteError { _ = try connection.pragma("page_size; DROP TABLE t") }?.code == .misuse)
        #expect(sqliteError { _ = try connection.setPragma("journal_mode", to: "WAL)") }?.code == .misuse)
        #expect(sqliteError { _ = try connection.setPragma("page_size", to: .blob([1])) }?.code == .misuse)
        #expect(try connection.setPragma("journal_mode", to: "memory") == "memory")
    }

    @Test func closedConnectionThrows() throws {
        let connection = try Connection.open(try scratch.database(rows: 1))
        let statement = try connection.prepare("SELECT b FROM t")
        connection.close()
        #expect(sqliteError { _ = try connection.value("SELECT 1") }?.message == "the connection is closed")
        #expect(sqliteError { _ = try statement.step() }?.code == .misuse)
        #expect(connection.isReadOnly)
    }
}
