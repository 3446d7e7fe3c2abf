import Foundation
import TestBasics
import Testing

@testable import CoreDataLocalization

@Suite struct ReadingTests {
    private func reader(_ locale: String) -> NumberReader { NumberReader(locale: Locale(identifier: locale)) }

    private func decimal(_ text: String) throws -> Decimal {
        try #require(Decimal(string: text, locale: Locale(identifier: "")))
    }

    @Test(
        "numbers typed in a locale are read to the end (L10N-05)",
        arguments: [
            ("en_US", "1,234.5", "1234.5"), ("de_DE", "1.234,5", "1234.5"), ("fr_FR", "1 234,5", "1234.5"),
            ("fr_FR", "1\u{202F}234,5", "1234.5"), ("fr_FR", "1\u{A0}234", "1234"), ("de_CH", "1'234.5", "1234.5"),
            ("de_CH", "1’234.5", "1234.5"), ("en_IN", "12,34,567.8", "1234567.8"), ("ar_EG", "١٬٢٣٤٫٥", "1234.5"),
            ("ar_EG", "1,234.5", "1234.5"), ("ar", "1,234.5", "1234.5"), ("fa_IR", "‎−۱٬۲۳۴", "-1234"),
            ("sv_SE", "−5", "-5"),
            ("en_US", "-0.001", "-0.001"), ("en_US", " +7 ", "7"), ("en_US", ".5", "0.5"), ("en_US", "007", "7"),
            ("en_US", "1234567", "1234567"), ("es_ES", "1234", "1234"), ("es_ES", "1.234", "1234"),
            ("en_US", "-0", "0"),
            ("en_US", "0.10", "0.1"), ("hi_IN", "1,00,000", "100000"),
            ("en_US", "12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
            ("en_US", "0.00000000000000000000000000000000000001", "0.00000000000000000000000000000000000001"),
        ])
    func numbers(locale: String, text: String, expected: String) throws {
        #expect(try reader(locale).decimal(text) == decimal(expected))
    }

    @Test(
        "a text that is not wholly a number, or has wrong groups, is refused with its place (L10N-05)",
        arguments: [
            ("en_US", "1.234,5", ReadingError.Code.unexpected, 5), ("en_US", "12abc", .unexpected, 2),
            ("de_DE", "1.23", .grouping, 2),
            ("de_DE", "1,234.5", .unexpected, 5), ("en_US", "1,2345", .grouping, 2),
            ("en_US", "1234,567", .grouping, 0),
            ("en_US", "1,,234", .unexpected, 1), ("en_IN", "1,234,567", .grouping, 2), ("en_US", "", .empty, 0),
            ("en_US", "  ", .empty, 0),
            ("en_US", "-", .unexpected, 1), ("en_US", "5.", .unexpected, 2), ("en_US", "1.2.3", .unexpected, 3),
            ("en_US", "--1", .unexpected, 1), ("en_US", "1e5", .unexpected, 1), ("en_US", "٣", .unexpected, 0),
            ("ar_EG", "١2", .unexpected, 1), ("fr_FR", "1.234", .unexpected, 1), ("fr_FR", "1 23", .grouping, 2),
            ("fr_FR", "1 234\u{A0}567", .unexpected, 5), ("en_US", "NaN", .unexpected, 0),
            ("en_US", "1 234", .unexpected, 2),
            ("en_US", "👩‍👩‍👧1", .unexpected, 0), ("en_US", "1👩‍👩‍👧", .unexpected, 1),
            ("en_US", "123456789012345678901234567890123456789", .outOfRange, 0),
            ("en_US", "0.1" + String(repeating: "0", count: 200) + "1", .outOfRange, 0),
            ("en_US", String(repeating: "0", count: 2_000), .outOfRange, 1_001),
        ])
    func refusals(locale: String, text: String, code: ReadingError.Code, offset: Int) {
        let error = #expect(throws: ReadingError.self) { try reader(locale).decimal(text) }
        #expect(error?.code == code && error?.offset == offset, "\(error.map { "\($0.code) \($0.offset)" } ?? "")")
    }

    @Test("integers of 64 bits are read exactly, others refused (L10N-05)")
    func integers() throws {
        let english = reader("en_US")
        #expect(
            try english.integer("-9,223,372,036,854,775,808") == .min && english.integer("9223372036854775807") == .max)
        #expect(try english.unsigned("18,446,744,073,709,551,615") == .max && english.unsigned("-0") == 0)
        #expect(throws: ReadingError.self) { try english.integer("9223372036854775808") }
        #expect(throws: ReadingError.self) { try english.unsigned("-1") }
        #expect(throws: ReadingError.self) { try english.unsigned("18446744073709551616") }
        let error = #expect(throws: ReadingError.self) { try english.integer("12.0") }
        #expect(error?.code == .fraction && error?.offset == 2)
    }

    @Test("percents are read as hundredths (L10N-05)")
    func percents() throws {
        for (locale, text) in [
            ("en_US", "25%"), ("de_DE", "25 %"), ("tr_TR", "%25"), ("ar_EG", "٢٥٪؜"), ("en_US", "25"),
        ] {
            #expect(try reader(locale).percent(text) == decimal("0.25"), "\(locale)")
        }
        #expect(throws: ReadingError.self) { try reader("en_US").percent("25%%") }
        #expect(throws: ReadingError.self) { try reader("en_US").decimal("25%") }
        #expect(throws: ReadingError.self) { try reader("en_US").percent("%") }
    }

    @Test("numbers that Foundation writes in any of its locales are read back (L10N-05)")
    func roundTripOfNumbers() throws {
        let numbers = try ["0", "7", "-1", "1000", "-12345.678", "9876543210", "0.5", "1234567890123456.125"].map(
            decimal)
        for identifier in Locale.availableIdentifiers {
            let table = FormatStyleTable(locale: Locale(identifier: identifier))
            let reader = NumberReader(locale: table.locale)
            for number in numbers {
                let text = table.text(number)
                #expect((try? reader.decimal(text)) == number, "\(identifier): \(text)")
            }
            // The pattern of percents in Anii has groups of two digits, unlike that of numbers.
            guard !identifier.hasPrefix("blo") else { continue }
            #expect(
                (try? reader.percent(table.text(try decimal("-12.5"), .percent))) == (try decimal("-12.5")),
                "\(identifier)")
        }
    }

    @Test("days that Foundation writes in any of its locales are read back (L10N-06, L10N-07)")
    func roundTripOfDays() throws {
        // A locale of each language; Hawaiian writes months as Roman numerals.
        let locales =
            Locale.availableIdentifiers.filter { !$0.contains("_") && $0 != "haw" } + [
                "es_US", "en_CA", "pt_PT", "zh_Hant",
            ]
        let days = try ["2024-02-29", "1999-12-31", "2049-10-11"].map {
            try #require(CalendarDay(iso: $0))
        }
        var unsupported: Set<String> = []
        for identifier in locales.sorted() {
            let table = FormatStyleTable(locale: Locale(identifier: identifier))
            for style in [DateStyle.short, .medium, .long, .full] {
                for day in days {
                    let text = table.text(day, style)
                    do {
                        #expect(try DateReader(table).day(text, style) == day, "\(identifier) \(style): \(text)")
                    } catch let error as ReadingError where error.code == .unsupportedStyle {
                        unsupported.insert("\(identifier) \(style)")
                    } catch {
                        Issue.record("\(identifier) \(style): \(text): \(error)")
                    }
                }
            }
        }
        #expect(unsupported.isEmpty, "\(unsupported.sorted())")
    }

    @Test(
        "days typed in other calendars are read (L10N-07)",
        arguments: [
            ("th_TH", "10 มิ.ย. 2567", DateStyle.medium), ("th_TH", "10/6/67", .short),
            ("ja_JP@calendar=japanese", "R6/06/10", .short),
            ("ja_JP@calendar=japanese", "令和6年6月10日", .long), ("fa_IR", "۲۱ خرداد ۱۴۰۳", .medium),
            ("en_US", "jun 10, 2024", .medium),
            ("en_US", "6/10/24", .short), ("en_US", "06/10/2024", .short), ("de_DE", "10.6.2024", .medium),
            ("de_DE", "10.06.24", .short),
            ("ar_EG", "10/6/2024", .short), ("fr_FR", "10 JUIN 2024", .medium),
        ])
    func calendars(locale: String, text: String, style: DateStyle) throws {
        let table = FormatStyleTable(locale: Locale(identifier: locale))
        #expect(try DateReader(table).day(text, style).description == "2024-06-10")
    }

    @Test(
        "a day that does not exist, and what is not wholly a date, is refused with its place (L10N-07)",
        arguments: [
            ("en_US", "2/30/2011", ReadingError.Code.noSuchDay, 0), ("en_US", "2/3/2011x", .unexpected, 8),
            ("en_US", "13/1/2011", .noSuchDay, 0),
            ("fr_FR", "10/06/24", .ambiguousYear, 6), ("en_US", "", .empty, 0), ("en_US", "2/3", .empty, 3),
            ("en_US", "2.3.2011", .unexpected, 1),
            ("en_US", "2/29/2023", .noSuchDay, 0), ("th_TH", "30/2/67", .noSuchDay, 0),
            ("ja_JP@calendar=japanese", "R6/02/30", .noSuchDay, 0), ("en_US", "2/3/99999999", .noSuchDay, 4),
        ])
    func refusedDays(locale: String, text: String, code: ReadingError.Code, offset: Int) {
        let reader = DateReader(FormatStyleTable(locale: Locale(identifier: locale)))
        let error = #expect(throws: ReadingError.self) { try reader.day(text, .short) }
        #expect(error?.code == code && error?.offset == offset, "\(error.map { "\($0.code) \($0.offset)" } ?? "")")
    }

    @Test("days in each calendar are read back or refused, and never another day (L10N-07)")
    func allCalendars() throws {
        let days = try ["2024-02-29", "2023-12-31", "2024-07-08", "1990-01-01"].map {
            try #require(CalendarDay(iso: $0))
        }
        var read = 0
        for calendar in LanguageTag.calendars.values {
            for locale in ["en_US", "de_DE", "ar_EG", "ja_JP", "he_IL"] {
                let table = FormatStyleTable(locale: Locale(identifier: locale), calendar: calendar)
                for style in [DateStyle.short, .medium, .long] {
                    for day in days {
                        let text = table.text(day, style)
                        do {
                            #expect(try DateReader(table).day(text, style) == day, "\(locale) \(calendar): \(text)")
                            read += 1
                        } catch let error as ReadingError {
                            let isExpected = error.code == .unsupportedStyle || error.code == .ambiguousYear
                            #expect(isExpected, "\(locale) \(calendar): \(text): \(error)")
                        }
                    }
                }
            }
        }
        #expect(read > 600)
    }

    @Test("locales with unknown or algorithmic numbering systems read what they can and never trap (L10N-05)")
    func numberingSystems() throws {
        for name in Locale.numberingSystems.union(["zzzz", "roman", "hans", "hebr", "armn", "native"]) {
            let locale = Locale(identifier: "en@numbers=\(name)")
            let table = FormatStyleTable(locale: locale)
            let tag = try #require(LanguageTag("en-u-nu-\(name)"))
            #expect(FormatStyleTable(locale: tag.locale).text(1_234) == table.text(1_234))
            #expect(
                !SpecifierText(locale: locale).text(5, .init(conversion: "d", source: ""), width: nil, precision: nil)
                    .isEmpty)
            _ = try? NumberReader(locale: locale).decimal(table.text(1_234))
            _ = table.text(Date(timeIntervalSince1970: 0), date: .medium, time: .medium)
            #expect(try NumberReader(locale: Locale(identifier: "en_US")).decimal("1,234") == 1_234)
        }
        let wide = try #require(LanguageTag("en-u-nu-fullwide")).locale
        #expect(try NumberReader(locale: wide).integer("１,２３４") == 1_234)
    }

    @Test("a time is read in its zone; what clocks skip is refused, of two times the first is taken (L10N-06)")
    func times() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let table = FormatStyleTable(locale: Locale(identifier: "de_DE"), timeZone: zone)
        let reader = DateReader(table)
        let date = Date(timeIntervalSince1970: 1_709_208_245)
        #expect(try reader.date(table.text(date, date: .medium, time: .medium), date: .medium, time: .medium) == date)
        let error = #expect(throws: ReadingError.self) {
            try reader.date("31.03.2024, 02:30:00", date: .medium, time: .medium)
        }
        #expect(error?.code == .noSuchDay)
        let first = try reader.date("27.10.2024, 02:30:00", date: .medium, time: .medium)
        #expect(first.timeIntervalSince1970 == 1_729_989_000)
        let english = FormatStyleTable(locale: Locale(identifier: "en_US"), timeZone: zone)
        for hour in [0, 1, 11, 12, 13, 23] {
            let date = Date(timeIntervalSince1970: Double(1_709_164_800 + hour * 3_600))
            let text = english.text(date, date: .short, time: .short)
            #expect(try DateReader(english).date(text, date: .short, time: .short) == date, "\(text)")
        }
        #expect(throws: ReadingError.self) { try reader.date("02:30", date: .none, time: .short) }
    }

    @Test("tags that are made at random have formats, and never trap (L10N-02, L10N-06)")
    func randomTags() throws {
        var random = SeededRandom(seed: 20_240_229)
        let parts: [[String]] = [
            ["en", "de", "ar", "zh", "xx", "qqq", "root", "und", "sr", "th", "fa"],
            ["", "-Latn", "-Hant", "-Zzzz", "-Arab"],
            ["", "-US", "-ZZ", "-419", "-999", "-AA"], ["", "-posix", "-1996", "-valencia"],
            ["", "-u-nu-zzzz", "-u-ca-zzzz", "-u-ca-japanese-nu-arab", "-x-abc", "-t-de", "-u-co-phonebk", "-u-ca"],
        ]
        let date = Date(timeIntervalSince1970: 1_718_000_000)
        for _ in 0..<300 {
            let name = parts.map { $0[Int.random(in: 0..<$0.count, using: &random)] }.joined()
            guard let tag = LanguageTag(name) else { continue }
            let table = FormatStyleTable(locale: tag.locale)
            #expect(
                !table.text(date, date: .medium, time: .short).isEmpty && !table.text(1_234.5 as Decimal).isEmpty,
                "\(name)")
            _ = LanguageMatch(among: ["en", name]).best(for: [tag])
            _ = OwnTexts.interface("Objects", languages: [tag], arguments: [3])
        }
    }
}
