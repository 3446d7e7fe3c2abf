import CAllocationCount
import CoreDataWorkbench
import Testing

/// The work for records that an import refuses, counted by the memory that it asks for and not timed.
@Suite(.enabled(if: coredata_allocated_bytes_of_this_thread() >= 0)) struct RefusedGrowthTests {
    /// Why records are refused; `#` stands for the number of each.
    private static let records = [
        "a value of another type": #"{"entity":"Item","code":"i#","count":"many"}"#,
        "a value that is missing": #"{"entity":"Box"}"#,
        "a value that is too long": #"{"entity":"Item","code":"much too long a code #"}"#,
        "an unknown key": #"{"entity":"Item","code":"i#","nothing":1}"#,
        "an unknown entity": #"{"entity":"Nothing#","code":"i#"}"#,
        "a link that leads nowhere": #"{"entity":"Note","code":"n#","item":"Item/p9#"}"#,
        "an address that is taken": #"{"objectID":"Box/p1","entity":"Box","code":"b#"}"#,
        "a value that is to be unique": #"{"entity":"Tool","code":"same","flag":true}"#,
    ]

    @Test(
        "a dry run of twice as many records that are refused is about twice the work (BRW-48)",
        arguments: records.keys.sorted(), [false, true])
    func twiceTheRecords(reason: String, needsObjects: Bool) throws {
        let record = try #require(Self.records[reason])
        func work(_ count: Int) throws -> Int64 {
            let depot = try Depot(needsObjects: needsObjects)
            let lines = (0..<count).map { record.replacing("#", with: "\($0)") }
            let start = coredata_allocated_bytes_of_this_thread()
            let outcome = try depot.take(lines, mode: .dryRun)
            let bytes = coredata_allocated_bytes_of_this_thread() - start
            #expect(outcome.refusals.count >= count - 1, "\(reason): \(outcome.counts) \(outcome.refusals.prefix(3))")
            return bytes
        }
        _ = try work(20)
        let (once, twice) = (try work(500), try work(1_000))
        #expect(once > 100_000 && twice * 10 <= once * 26, "\(reason): \(once) bytes, \(twice) bytes")
    }
}
