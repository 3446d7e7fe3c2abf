import Foundation
import Testing

@testable import CoreDataLocalization

@Suite struct FormatTests {
    private func table(_ locale: String, zone: String = "GMT", calendar: Calendar.Identifier? = nil) -> FormatStyleTable
    {
        FormatStyleTable(
            locale: Locale(identifier: locale), timeZone: TimeZone(identifier: zone) ?? .gmt, calendar: calendar)
    }

    private func decimal(_ text: String) throws -> Decimal {
        try #require(Decimal(string: text, locale: Locale(identifier: "")))
    }

    @Test(
        "numbers have the styles of their locale (L10N-05)",
        arguments: [
            ("en_US", NumberStyle.decimal, "1,000.42"), ("fr_FR", .decimal, "1\u{202F}000,42"),
            ("de_DE", .decimal, "1.000,42"),
            ("en_US", .none, "1000"), ("en_US", .percent, "100,042%"), ("de_DE", .percent, "100.042\u{A0}%"),
            ("en_US", .currency("usd"), "$1,000.42"), ("de_DE", .currency("EUR"), "1.000,42\u{A0}€"),
            ("ja_JP", .currency("JPY"), "¥1,000"), ("en_US", .scientific, "1.00042E3"), ("ar", .decimal, "1,000.42"),
            ("ar_EG", .decimal, "١٬٠٠٠٫٤٢"), ("en_US", .currency("no code"), "¤1,000.42"),
        ])
    func numbers(locale: String, style: NumberStyle, expected: String) throws {
        #expect(table(locale).text(try decimal("1000.42"), style) == expected)
    }

    @Test("integers are spelled out in words of the language (L10N-05)")
    func words() throws {
        #expect(table("en_US").text(123, .spelledOut) == "one hundred twenty-three")
        #expect(table("de_DE").text(123, .spelledOut) == "ein\u{AD}hundert\u{AD}drei\u{AD}und\u{AD}zwanzig")
        #expect(table("fr_FR").text(80, .spelledOut) == "quatre-vingts")
        #expect(table("ar").text(3, .spelledOut) == "ثلاثة")
        #expect(table("en_US").text(try decimal("1.5"), .spelledOut) == "one point five")
        #expect(table("en_US").text(try decimal("1000.42"), .spelledOut) == "one thousand point four two")
        #expect(table("en_US").text(try decimal("-0.07"), .spelledOut) == "minus zero point zero seven")
        #expect(table("en_US").text(UInt64.max, .spelledOut) == "18,446,744,073,709,551,615")
    }

    @Test("no digit of a large number is lost, and India's groups are of two digits (L10N-05)")
    func exactness() throws {
        #expect(table("en_US").text(UInt64.max) == "18,446,744,073,709,551,615")
        #expect(table("en_US").text(Int64.min) == "-9,223,372,036,854,775,808")
        let digits = "12345678901234567890123456789012345678"
        #expect(table("de_DE").text(try decimal(digits), .none) == digits)
        #expect(table("en_IN").text(12_345_678) == "1,23,45,678" && table("hi_IN").text(100_000) == "1,00,000")
        #expect(table("en_US").text(Decimal.nan) == "NaN")
    }

    @Test("date and time have a style each; both none is empty (L10N-06)")
    func dates() {
        let date = Date(timeIntervalSince1970: 1_333_566_245)
        let english = table("en_US")
        #expect(english.text(date, date: .short, time: .none) == "4/4/12")
        #expect(english.text(date, date: .medium, time: .none) == "Apr 4, 2012")
        #expect(english.text(date, date: .long, time: .none) == "April 4, 2012")
        #expect(english.text(date, date: .full, time: .none) == "Wednesday, April 4, 2012")
        #expect(english.text(date, date: .none, time: .short).replacing("\u{202F}", with: " ") == "7:04 PM")
        #expect(english.text(date, date: .none, time: .none) == "")
        #expect(table("de_DE").text(date, date: .medium, time: .medium) == "04.04.2012, 19:04:05")
        #expect(table("fr_FR").text(date, date: .medium, time: .none) == "4 avr. 2012")
        #expect(table("de_DE", zone: "Europe/Berlin").text(date, date: .none, time: .short) == "21:04")
        #expect(english.text(Date(timeIntervalSinceReferenceDate: .nan), date: .short, time: .short) == "")
        #expect(english.text(Date(timeIntervalSinceReferenceDate: 1e30), date: .short, time: .short) == "")
    }

    @Test("formatters are made once for each style and shared (L10N-06)")
    func shared() {
        let table = table("is_IS", zone: "Atlantic/Reykjavik")
        let date = Date(timeIntervalSince1970: 0)
        let first = table.text(date, date: .long, time: .short)
        let before = SharedFormatters.made
        for _ in 0..<100 { #expect(table.text(date, date: .long, time: .short) == first) }
        // Other tests run at the same time, and make formatters of other styles.
        #expect(SharedFormatters.made - before < 100)
    }

    @Test("five years after 2012-04-04 is 2017-04-04 by components (L10N-07)")
    func components() throws {
        let day = try #require(CalendarDay(iso: "2012-04-04"))
        #expect(day.adding(years: 5)?.description == "2017-04-04")
        let leap = try #require(CalendarDay(year: 2012, month: 2, day: 29))
        #expect(
            leap.adding(years: 1)?.description == "2013-02-28" && leap.adding(years: 4)?.description == "2016-02-29")
        #expect(
            leap.adding(months: -2)?.description == "2011-12-29" && leap.adding(days: 1)?.description == "2012-03-01")
        #expect(leap.adding(years: -3_000) == nil && leap.adding(days: .max) == nil && leap.adding(years: 9_000) == nil)
        #expect(leap.adding(months: -24_146) == nil && leap.adding(years: .min) == nil)
    }

    @Test("days are read strictly, in the Gregorian calendar of all years (L10N-07)")
    func strictDays() throws {
        let wrong = [
            "2011-02-30", "2011-2-03", "2011-02-29", "2011-13-01", "2011-00-10", "2011-02-00", "20110203",
            "2011-02-03x", " 2011-02-03",
            "２０１１-02-03", "",
        ]
        for text in wrong { #expect(CalendarDay(iso: text) == nil, "\(text)") }
        for text in ["0000-01-01", "0001-01-01", "1582-10-10", "1500-03-01", "9999-12-31"] {
            let day = try #require(CalendarDay(iso: text))
            #expect(day.description == text && CalendarDay(day.noon, in: .gmt) == day)
        }
        var (day, count) = (try #require(CalendarDay(iso: "1999-12-25")), 0)
        while day.description != "2000-03-05" {
            day = try #require(day.adding(days: 1))
            count += 1
        }
        #expect(count == 71)
        #expect(table("en_US").text(try #require(CalendarDay(iso: "1500-03-01")), .medium) == "Mar 1, 1500")
    }

    @Test(
        "a day does not shift with the zone (L10N-07)", arguments: ["Pacific/Kiritimati", "Pacific/Pago_Pago", "GMT"])
    func zones(zone: String) throws {
        let day = try #require(CalendarDay(iso: "2012-04-04"))
        #expect(table("de_DE", zone: zone).text(day, .medium) == "04.04.2012")
        let evening = Date(timeIntervalSince1970: 1_333_580_340)
        let expected = ["Pacific/Kiritimati": "2012-04-05", "Pacific/Pago_Pago": "2012-04-04", "GMT": "2012-04-04"]
        #expect(CalendarDay(evening, in: try #require(TimeZone(identifier: zone)))?.description == expected[zone])
    }

    @Test("Buddhist and Japanese years come from the locale's calendar, or from the one that is passed (L10N-07)")
    func calendars() throws {
        let day = try #require(CalendarDay(iso: "2024-06-10"))
        #expect(table("th_TH").text(day, .medium).hasSuffix("2567"))
        #expect(table("th_TH", calendar: .gregorian).text(day, .medium).hasSuffix("2024"))
        #expect(table("ja_JP@calendar=japanese").text(day, .long) == "令和6年6月10日")
        #expect(table("ja_JP").text(day, .long) == "2024年6月10日")
        #expect(table("en_US", calendar: .japanese).text(day, .long) == "June 10, Reiwa 6")
    }

    @Test("en_US is not metric, fr_FR is, and 10 km are 6.2 mi in the US (L10N-08)")
    func units() throws {
        #expect(!table("en_US").usesMetricSystem && table("fr_FR").usesMetricSystem && table("en_GB").usesMetricSystem)
        #expect(
            table("en_US").text(10, .kilometer) == "6.2 mi" && table("fr_FR").text(10, .kilometer) == "10\u{202F}km")
        #expect(table("en_GB").text(10, .kilometer) == "6.2 mi" && table("en_GB").text(10, .kilogram) == "10 kg")
        #expect(table("de_DE").text(1, .mile) == "1,6\u{A0}km" && table("en_US").text(1, .mile) == "1 mi")
        #expect(table("en_US").text(100, .celsius) == "212°F" && table("de_DE").text(-40, .fahrenheit) == "-40\u{A0}°C")
        #expect(table("ar_EG").text(10, .kilometer) == "١٠ كم" && table("ja_JP").text(1, .liter) == "1\u{A0}l")
        for unit in MeasuredUnit.allCases {
            let back = unit.counterpart.convert(unit.convert(7, to: unit.counterpart), to: unit)
            #expect(unit.counterpart.counterpart == unit && unit.isMetric != unit.counterpart.isMetric)
            #expect(abs(back - 7) < 1e-25, "\(unit)")
        }
    }
}
