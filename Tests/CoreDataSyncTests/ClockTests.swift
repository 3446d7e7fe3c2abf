import CoreDataSync
import Testing

@Suite("Clocks")
struct ClockTests {
    @Test("text and bytes of a time have its order and lose nothing (HAZ-58)")
    func timesHaveFixedWidth() throws {
        let times = [0, 9, 10, 255, 65_535, 1_700_000_000_000, HybridTime.greatestMilliseconds].flatMap {
            milliseconds in
            [0, 9, 10, UInt16.max].map { HybridTime(milliseconds: milliseconds, counter: $0) }
        }
        #expect(times.map(\.description).sorted() == times.sorted().map(\.description))
        #expect(Set(times.map(\.description.utf8.count)) == [17])
        for time in times { #expect(HybridTime(time.description) == time) }
        #expect(HybridTime("00-0") == nil)
    }

    @Test("a clock that stands or goes back still gives later times")
    func timesGrow() {
        var clock = HybridClock()
        let times = [1_000, 1_000, 999, 0, 1_001].map { clock.tick(at: $0) }
        #expect(times == times.sorted() && Set(times).count == times.count)
    }

    @Test("a time a year ahead does not move the clock, and a clock set right again returns")
    func madTimesAreIgnored() {
        var clock = HybridClock()
        let year: UInt64 = 31_536_000_000
        let isBelieved = clock.observe(HybridTime(milliseconds: year * 50), at: year)
        #expect(!isBelieved)
        var times = [clock.tick(at: year)]
        let isNearBelieved = clock.observe(HybridTime(milliseconds: year + 1_000), at: year)
        #expect(isNearBelieved)
        times.append(clock.tick(at: year))
        _ = clock.tick(at: year * 20)
        times.append(clock.tick(at: year))
        #expect(times.map(\.milliseconds) == [year, year + 1_000, year])
    }

    @Test("the last time of all stays")
    func lastTimeStays() {
        #expect(HybridTime(rawValue: .max).next == HybridTime(rawValue: .max))
        #expect(HybridTime(milliseconds: 5, counter: .max).next == HybridTime(milliseconds: 6))
    }
}
