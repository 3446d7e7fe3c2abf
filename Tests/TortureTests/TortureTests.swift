import CoreData
import TestBasics
import Testing

/// A few trials of each unit of `make torture`, in processes of their own.
@Suite("Damage, faults and kills in other processes", .timeLimit(.minutes(20)))
struct TortureTests {
    @Test(
        "no flipped byte and no truncation of Apple's stores traps, hangs or changes a value silently (HAZ-04, HAZ-05)",
        .enabled(if: Fixtures.areAvailable, "\(Fixtures.missing)"), arguments: ["flips", "truncations"])
    func noFlippedByteAndNoTruncationOfApplesStoresTraps(subject: String) throws {
        try Self.run("\(subject) of", atLeast: 40)
    }

    @Test(
        "whichever call fails during an operation, nothing is lost and the operation can be repeated (HAZ-38, HAZ-39)")
    func whicheverCallFailsDuringOperation() throws { try Self.run("faults during", atLeast: 20) }

    @Test("whichever allocation of SQLite fails during an operation, nothing is lost (HAZ-40)")
    func whicheverAllocationOfSQLiteFailsDuringOperation() throws { try Self.run("failing allocations", atLeast: 60) }

    @Test("a kill in the middle of an operation leaves all of it or nothing (HAZ-41, HAZ-43)")
    func killInMiddleOfOperationLeavesAllOfItOrNothing() throws { try Self.run("kills", atLeast: 30) }

    /// Runs the sample of the units whose names have a text.
    private static func run(_ text: String, atLeast least: Int) throws {
        let child = try Child(["run", "--sample", "--only", text], of: Child.url("Torture"))
        let lines = child.lines()
        let status = child.status()
        #expect(status == 0, "\(lines.joined(separator: "\n"))")
        let sum = try #require(lines.first { $0.hasPrefix("ALL: ") }, "\(lines)")
        let count = try #require(Int(sum.dropFirst(5).prefix { $0.isNumber }))
        #expect(count >= least, "\(sum)")
        #expect(lines.contains("lost 0, traps 0, hangs 0, silent 0"), "\(lines.suffix(3))")
        print(sum)
    }
}
