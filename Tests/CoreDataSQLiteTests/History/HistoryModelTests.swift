import CoreData
import SQLiteKit
import TestBasics
import Testing

@testable import CoreDataSQLite

/// Random saves and batch requests, after each of which history says what comparing all tables says.
@Suite struct HistoryModelTests {
    @Test(
        "history agrees with the tables in random sequences (CTX-34)",
        arguments: TestSeed.sequences(15, exhaustive: 10_000))
    func historyAgreesWithTheTables(_ seed: UInt64) throws {
        var run = try HistoryRun(seed)
        for step in 0..<25 { try run.step("seed \(seed), step \(step)") }
    }

    @Test(
        "purges, limits, reverts and tokens do what a list of transactions does, in random sequences (CTX-34, HAZ-45)",
        arguments: TestSeed.sequences(15, exhaustive: 10_000))
    func historyAgreesWithAList(_ seed: UInt64) throws {
        var journal = try HistoryJournal(seed)
        for step in 0..<40 { try journal.step("seed \(seed), step \(step)") }
        try journal.readEverywhere("seed \(seed), at the end")
    }
}
