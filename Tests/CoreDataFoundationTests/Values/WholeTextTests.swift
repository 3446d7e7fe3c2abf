import CoreDataFoundation
import Testing

/// Numbers and dates of texts, of which no part is left unread.
@Suite struct WholeTextTests {
    @Test(
        "a decimal number is the whole of a text or none",
        arguments: [
            ("1.5", "1.5"), ("-0.25", "-0.25"), ("+3", "3"), (".5", "0.5"), ("2.", "2"), ("1e3", "1000"), ("1,5", nil),
            ("1.234,5", nil), ("1 000", nil), ("1.5kg", nil), ("", nil), (".", nil), ("1e", nil), ("1e99999", nil),
            ("--1", nil), ("0x10", nil), ("٣", nil), ("NaN", "NaN"), ("nan", nil), ("NaN1", nil),
        ] as [(String, String?)])
    func decimalNumberIsWholeOfTextOrNone(text: String, wanted: String?) {
        #expect(ExactNumber.decimal(of: text).map { "\($0)" } == wanted)
        #expect((ExactNumber.decimal(of: text) == nil) == (wanted == nil))
    }

    @Test("a cast of a text with a comma is refused, where it would be cut (PRD-27)")
    func castOfTextWithCommaIsRefused() throws {
        #expect(throws: (any Error).self) { try NSPredicate(parsing: "price == CAST('1,5', 'NSDecimalNumber')") }
        let whole = try NSPredicate(parsing: "price == CAST('1.5', 'NSDecimalNumber')")
        #expect(try whole.evaluation(with: ["price": 1.5]))
    }

    @Test(
        "dates of property lists are days of the Gregorian calendar in all years",
        arguments: [
            (0.0, "2001-01-01T00:00:00Z"), (-15_810_076_800, "1500-01-01T00:00:00Z"),
            (-15_800_000_000, "1500-04-27T15:06:40Z"), (-13_197_600_000, "1582-10-15T00:00:00Z"),
            (-13_197_686_400, "1582-10-14T00:00:00Z"), (730_857_600, "2024-02-29T00:00:00Z"),
        ])
    func datesOfPropertyListsAreDaysOfGregorianCalendarInAllYears(seconds: Double, text: String) {
        #expect(CalendarSeconds.text(Date(timeIntervalSinceReferenceDate: seconds)) == text)
        #expect(CalendarSeconds.date(text)?.timeIntervalSinceReferenceDate == seconds)
    }

    @Test(
        "A day that its month does not have, and another text, are not dates",
        arguments: ["2001-02-30T00:00:00Z", "1900-02-29T00:00:00Z", "2001-13-01T00:00:00Z", "2001-01-01", "x"])
    func dayThatNoMonth(text: String) { #expect(CalendarSeconds.date(text) == nil) }

    @Test(
        "a decimal at the ends of 64 bits is that integer (MOD-15)",
        arguments: [Int64.min, .min + 1, -1, .max - 1, .max])
    func endsOfIntegers(value: Int64) {
        #expect(ExactNumber(Decimal(value))?.integer == value)
        #expect(
            ExactNumber(Decimal(Int64.max) + 1)?.integer == nil && ExactNumber(Decimal(Int64.min) - 1)?.integer == nil)
    }

    @Test("words of scripts with marks are whole, and without the marks (PRD-17)")
    func wordsOfScriptsWithMarksAreWhole() {
        #expect(SearchWords.words(of: "हिन्दी किताब") == SearchWords.words(of: "हिनदी किताब"))
        #expect(SearchWords.words(of: "हिन्दी किताब").count == 2)
        #expect(SearchWords.words(of: "مُحَمَّد") == ["محمد"])
        #expect(SearchWords.words(of: "שָׁלוֹם עולם") == ["שלום", "עולם"])
        #expect(SearchWords.words(of: "ภาษาไทย").count == 1)
        #expect(SearchWords.words(of: "می\u{200C}خواهم") == SearchWords.words(of: "میخواهم"))
        #expect(SearchWords.occurrences(of: "किताब", in: "मेरी किताब, किताबों में") == 1)
    }
}
