import Foundation
import SQLiteKit
import Testing

struct BackupTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private struct Stop: Error {}

    @Test("a copy of an open WAL store holds what is in the log only (HAZ-37)") func copyHoldsWhatIsInTheLog() throws {
        let source = try Connection.open(try scratch.database(rows: 3, journal: "WAL"))
        try source.execute("INSERT INTO t (b) VALUES ('in the log')")
        try source.backUp(toNewFile: scratch.file("copy"))
        let copy = try Connection.open(scratch.file("copy"))
        #expect(try copy.value("SELECT count(*) FROM t") == 4)
        #expect(try copy.integrityFaults().isEmpty)
    }

    @Test func copyGoesInStepsAndReportsThem() throws {
        let source = try Connection.open(try scratch.database(rows: 2_000))
        let destination = try Connection.inMemory()
        var remaining: [Int] = []
        try source.backUp(to: destination, pagesPerStep: 3) { left, total in
            remaining.append(left)
            #expect(left < total)
        }
        #expect(remaining.count > 3)
        #expect(remaining == remaining.sorted(by: >))
        #expect(remaining.last == 0)
        #expect(try destination.value("SELECT count(*) FROM t") == 2_000)
    }

    @Test func abandonedCopyLeavesTheDestination() throws {
        let source = try Connection.open(try scratch.database(rows: 2_000))
        let destination = try Connection.open(try scratch.database("b", rows: 5))
        #expect(throws: Stop.self) {
            try source.backUp(to: destination, pagesPerStep: 2) { _, _ in throw Stop() }
        }
        #expect(try destination.value("SELECT count(*) FROM t") == 5)
        #expect(try destination.integrityFaults().isEmpty)
    }

    @Test func takenPathIsRefused() throws {
        let path = try scratch.database(rows: 1)
        let source = try Connection.open(path)
        #expect(sqliteError { try source.backUp(toNewFile: path) }?.code == .cannotOpen)
        #expect(sqliteError { try source.backUp(toNewFile: scratch.path) }?.code == .cannotOpen)
        #expect(try source.value("SELECT count(*) FROM t") == 1)
    }

    @Test func openTransactionInTheDestinationIsBusy() throws {
        let source = try Connection.open(try scratch.database(rows: 1))
        let destination = try Connection.inMemory()
        try destination.execute("CREATE TABLE x (a)")
        try destination.begin(.immediate)
        #expect(throws: SQLiteError.self) { try source.backUp(to: destination) }
    }
}
