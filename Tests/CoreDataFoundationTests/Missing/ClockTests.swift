import CoreDataFoundation
import Testing

@Suite struct ClockTests {
    @Test("the clock counts from the reference date") func referenceDate() {
        let before = Date.timeIntervalSinceReferenceDate
        let now: CFAbsoluteTime = CFAbsoluteTimeGetCurrent()
        #expect(before <= now && now <= Date.timeIntervalSinceReferenceDate)
    }
}
