import CoreDataFoundation
import Testing

@Suite("Days by their numbers")
struct CalendarDayTests {
    @Test(
        "a time is on the day that contains it, also just before midnight, before 2001 and beyond 64 bits",
        arguments: [
            (0, 0), (86_399.999, 0), (86_400, 1), (Double(86_400).nextDown, 0), (-0.0, 0), (-1e-300, -1), (-86_400, -1),
            (Double(-86_400).nextDown, -2), (8_191 * 86_400, 8_191), ((8_191.0 * 86_400).nextDown, 8_190),
            (0x1p62, 53_375_995_583_650), (.infinity, 106_751_991_167_300), (1e300, 106_751_991_167_300),
            (0x1p63, 106_751_991_167_300), (-0x1p63, -106_751_991_167_301), (-1e300, -106_751_991_167_301),
            (-.infinity, -106_751_991_167_301),
        ] as [(Double, Int64)])
    func dayOfTime(time: Double, day: Int64) { #expect(CalendarDay.number(of: time) == day) }

    @Test("NaN is on no day")
    func notANumber() { #expect(CalendarDay.number(of: .nan) == nil) }
}
