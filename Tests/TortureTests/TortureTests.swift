import CoreData
import TestBasics
import Testing

/// A few trials of each unit of `make torture`, in processes of their own.
@Suite("Damage, faults and kills in other processes", .timeLimit(.minutes(20)))
struct TortureTests {
    @Test(
        "HAZ-04, HAZ-05: no flipped byte and no truncation of Apple's stores traps, hangs or changes a value silently",
        .enabled(if: Fixtures.areAvailable, "\(Fixtures.missing)"), arguments: ["flips", "truncations"])
    func damage(subject: String) throws { try Self.run("\(subject) of", atLeast: 40) }

    @Test("HAZ-38, HAZ-39: whichever call fails during an operation, nothing is lost and the operation can be repeated")
    func faults() throws { try Self.run("faults during", atLeast: 20) }

    @Test("HAZ-40: whichever allocation of SQLite fails during an operation, nothing is lost")
    func memory() throws { try Self.run("failing allocations", atLeast: 60) }

    @Test("HAZ-41, HAZ-43: a kill in the middle of an operation leaves all of it or nothing")
    func kills() throws { try Self.run("kills", atLeast: 30) }

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
