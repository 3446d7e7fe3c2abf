import CoreDataFoundation
import Testing

@Suite struct ClockTests {
    /// Seconds from 1970 to 2001, of which eight years had a day more.
    private static let reference = Double((31 * 365 + 8) * 86_400)

    /// The system's clock, which counts from 1970.
    private static var system: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("the clock counts seconds from the beginning of 2001, in UTC") func referenceDate() {
        let before = Self.system
        let now: CFAbsoluteTime = CFAbsoluteTimeGetCurrent()
        let after = Self.system
        // The double of a time in this century is right to less than a microsecond.
        #expect(before - 1e-6 <= now + Self.reference && now + Self.reference <= after + 1e-6)
    }
}
