import CoreData
import TestBasics
import Testing
import WriteScenarios

/// One store that is killed over again and again.
struct CrashSeries: CustomStringConvertible {
    private let url: URL
    private let journalMode: String
    private let seed: UInt64
    private var random: SeededRandom
    private var crashes = 0
    /// Children that met their system call.
    private(set) var endedByThemselves = 0
    /// The last state that is known to be in the store; -1 before the first save.
    private var known = -1

    var description: String { "seed \(seed), \(journalMode), crash \(crashes), state \(known)" }

    init(_ journalMode: String, seed: UInt64) throws {
        (self.journalMode, self.seed) = (journalMode, seed)
        random = SeededRandom(seed: seed)
        url = try Fixtures.temporaryFolder().appendingPathComponent("Ledger.sqlite")
    }

    /// Kills a child some microseconds after some acknowledged saves, or soon after its start: while it recovers.
    mutating func crashAtRandomMoment() throws {
        let child = try Child("advance", url.path, journalMode, "0")
        var last: String?
        for _ in 0..<random.next(below: 5) { last = child.line() ?? last }
        usleep(UInt32(random.next(below: 60_000)))
        child.kill()
        try expectWhole(afterAcknowledging: child.lines().last ?? last)
    }

    /// Has a child end itself at one of the next system calls that write.
    mutating func crashAtSystemCall() throws {
        let child = try Child("advance", url.path, journalMode, "\(1 + random.next(below: 120))")
        let acknowledged = child.lines().last
        child.kill()
        if child.status() == -Int(SIGKILL) { endedByThemselves += 1 }
        try expectWhole(afterAcknowledging: acknowledged)
    }

    /// After one more save nothing of the crashes is left but large values that no row names.
    mutating func expectCleanEnd() throws {
        let ledger = try Ledger(url, journalMode: journalMode)
        known = try ledger.advance()
        #expect(try ledger.lines() == LedgerState(known).lines, "\(self)")
        let file = try LedgerFile(url)
        #expect(file.strangers == [], "\(self)")
        #expect(file.namedValues.count == Self.largeValues(known), "\(self)")
        // No more than were ever written: by the states before, and by each save that was cut short.
        let written = (0...known).map(Self.largeValues)
        #expect(file.orphans.count <= written.dropLast().reduce(0, +) + crashes * (written.max() ?? 0), "\(self)")
        print("\(self): \(file.orphans.count) large values that no row names")
    }

    /// How many values of a state are kept in files.
    private static func largeValues(_ state: Int) -> Int {
        LedgerState(state).items.count { ($0.payload?.count ?? 0) > 102_400 }
    }

    private mutating func expectWhole(afterAcknowledging line: String?) throws {
        crashes += 1
        let acknowledged = try line.map { try #require(Int($0), "the child says '\($0)'; \(self)") } ?? known
        let raw = try LedgerFile(url)
        #expect(raw.faults == [], "\(self)")
        #expect(raw.missingValues == [], "\(self)")
        #expect(raw.keysAreRecorded, "\(self)")
        let number = raw.number ?? -1
        try #require(number == acknowledged || number == acknowledged + 1, "\(self), acknowledged \(acknowledged)")
        known = number
        guard number >= 0 else { return }
        #expect(raw.generations == [Int64(number)], "\(self)")
        // Opened by the store itself only every other time: otherwise the next child recovers alone.
        guard random.next(below: 2) == 0 else { return }
        let ledger = try Ledger(url, journalMode: journalMode)
        #expect(try ledger.lines() == LedgerState(number).lines, "\(self)")
    }
}
