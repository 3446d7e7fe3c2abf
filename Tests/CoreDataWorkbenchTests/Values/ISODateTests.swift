import CoreData
import CoreDataWorkbench
import TestBasics
import Testing

@Suite struct ISODateTests {
    @Test(arguments: [
        (0.0, "2001-01-01T00:00:00.000Z"), (0.25, "2001-01-01T00:00:00.250Z"), (-0.5, "2000-12-31T23:59:59.500Z"),
        (-978_307_200, "1970-01-01T00:00:00.000Z"), (730_987_200, "2024-03-01T12:00:00.000Z"),
        (730_900_800.000001, "2024-02-29T12:00:00.000001000Z"), (-63_114_076_800, "0000-12-30T00:00:00.000Z"),
        (220_898_620_799, "9000-12-31T23:59:59.000Z"),
    ])
    func textIsISOInUTC(seconds: Double, text: String) {
        let made = ISODate.text(Date(timeIntervalSinceReferenceDate: seconds))
        if seconds == 730_900_800.000001 {
            #expect(made.hasPrefix("2024-02-29T12:00:00.000001"))
        } else {
            #expect(made == text)
        }
    }

    @Test(
        "a date that no calendar has is its seconds (HAZ-27)",
        arguments: [Double.nan, .infinity, 1e300, -1e12, 300_000_000_000])
    func impossibleDateIsItsSeconds(seconds: Double) {
        #expect(ISODate.text(Date(timeIntervalSinceReferenceDate: seconds)) == "@\(seconds)")
    }

    @Test(
        "a day or a time that there is not is refused with the reason",
        arguments: [
            ("2001-02-30", "month 2 of the year 2001 has days from 01 to 28"),
            ("1900-02-29T10:00", "month 2 of the year 1900 has days from 01 to 28"),
            ("2001-13-01", "a year has months from 01 to 12"), ("2001-04-31", "month 4 of the year 2001"),
            ("2001-01-01T24:10", "a day has times from 00:00 to 23:59"), ("1500-02-29", "from 01 to 28"),
        ])
    func impossibleDayIsRefusedWithReason(text: String, reason: String) {
        #expect(ISODate.date(text) == nil && ISODate.impossibility(text)?.contains(reason) == true)
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType) = ("born", .dateAttributeType)
        let error = #expect(throws: InspectionError.self) { try ValueParsing.value(text, for: attribute) }
        #expect(error.map { "\($0)".contains(reason) } == true)
    }

    @Test("days before October 1582 are those of the Gregorian calendar") func earlyDays() {
        #expect(ISODate.date("1500-01-01")?.timeIntervalSinceReferenceDate == -15_810_076_800)
        #expect(ISODate.text(Date(timeIntervalSinceReferenceDate: -15_800_000_000)) == "1500-04-27T15:06:40.000Z")
        #expect(ISODate.impossibility("1500-01-01") == nil && ISODate.impossibility("soon") == nil)
    }

    @Test func textOfADateReadsBackAsTheSameDate() {
        var generator = SeededRandom(seed: TestSeed.first)
        for _ in 0..<2000 {
            let seconds = (Double.random(in: -6e10...2.5e11, using: &generator) * 1000).rounded() / 1000
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let text = ISODate.text(date)
            #expect(ISODate.date(text) == date, "\(seconds) became \(text)")
        }
    }

    @Test(arguments: [
        ("2024-02-29", 730_857_600.0), ("2024-02-29T12:00", 730_900_800),
        ("2024-02-29 12:00:00", 730_900_800),
        ("2024-02-29T13:30:00+01:30", 730_900_800), ("2024-02-29T11:00:00-0100", 730_900_800),
        ("2024-02-29T12:00:00,5Z", 730_900_800.5), ("@12.5", 12.5),
    ])
    func readsTheUsualForms(text: String, seconds: Double) {
        #expect(ISODate.date(text)?.timeIntervalSinceReferenceDate == seconds)
    }

    @Test(arguments: [
        "", "2023-02-29", "2024-13-01", "2024-00-10", "2024-01-32", "2024-01-01T24:00", "2024-01-01T12:60", "tomorrow",
        "2024-01-01T12", "2024-1-1", "@", "@nan", "@inf", "2024-01-01T12:00:00+99:00", "24-01-01", " 2024-01-01",
    ])
    func refusesWhatIsNoDate(text: String) {
        #expect(ISODate.date(text) == nil)
    }
}
