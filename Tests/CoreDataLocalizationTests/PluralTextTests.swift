import Foundation
import Testing

@testable import CoreDataLocalization

@Suite struct PluralTextTests {
    private let english = [LanguageTag.english]
    private let german = [LanguageTag("de")].compactMap { $0 }

    private func text(_ format: String, _ arguments: TextArgument..., locale: String = "en_US") -> String {
        TextExpansion.text(
            TextEntry(.text(format)), arguments, rules: PluralRules(for: .english), locale: Locale(identifier: locale),
            device: "other")
    }

    @Test("several variables in one text of a stringsdict file have the forms of their numbers (L10N-01)")
    func stringsdict() throws {
        var tables = StringTables()
        try tables.add(stringsdict: Data(Samples.stringsdict.utf8), language: "en")
        func files(_ files: TextArgument, _ folders: TextArgument) -> String {
            tables.text("filesInFolders", languages: english, arguments: ["Disk", files, folders])
        }
        #expect(files(0, 1) == "Disk: no files in one folder & more")
        #expect(files(1, 2) == "Disk: 1 file in 2 folders & more")
        #expect(files(1_234, 5_000) == "Disk: 1,234 files in 5,000 folders & more")
        #expect(files("many", 2) == "Disk: many files in 2 folders & more")
        #expect(tables.text("nested", languages: english, arguments: [1, 2]) == "1 person with 2 dogs")
        #expect(tables.text("nested", languages: english, arguments: [2, 1]) == "2 people with 1 dog")
        #expect(tables.text("nested", languages: english, arguments: [3]) == "3 people with %d dogs")
        #expect(tables.text("wide", languages: english) == "A longer text")
        #expect(tables.text("device", languages: english) == "Click")
        #expect(tables.text("device", languages: english, device: "iphone") == "Tap")
        let value = try PropertyListSerialization.propertyList(
            from: Data(Samples.stringsdict.utf8), options: [], format: nil)
        let binary = try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        #expect(try StringsdictReader.entries(binary) == StringsdictReader.entries(Data(Samples.stringsdict.utf8)))
    }

    @Test("a string catalog has plural and device forms, substitutions, states and fixed texts (L10N-01)")
    func catalog() throws {
        var tables = StringTables()
        try tables.add(catalog: Data(Samples.catalog.utf8))
        func files(_ count: TextArgument, _ languages: [LanguageTag]) -> String {
            tables.text("%lld files", languages: languages, arguments: [count])
        }
        #expect(files(1, german) == "1 Datei" && files(2, german) == "2 Dateien" && files(1, english) == "1 file")
        #expect(files(2_000, [LanguageTag("fr")].compactMap { $0 }) == "2,000 files")
        #expect(
            tables.text("Hello", languages: german) == "Hello" && tables.text("Brand", languages: german) == "Brand")
        #expect(tables.text("Press", languages: english, arguments: [1]) == "Click once")
        #expect(tables.text("Press", languages: english, arguments: [4]) == "Click 4 times")
        #expect(tables.text("Press", languages: english, arguments: [4], device: "iphone") == "Tap")
        #expect(tables.text("Birds", languages: english, arguments: [1, 3, "days"]) == "1 bird in 3 trees for days")
    }

    @Test(
        "Arabic texts have the right form for zero, one, two, few, many and other (L10N-01)",
        arguments: [
            (0, "لا تغييرات"), (1, "تغيير واحد"), (2, "تغييران"), (3, "3 تغييرات"), (11, "11 تغييرًا"),
            (100, "100 تغيير"),
            (1_003, "1,003 تغييرات"),
        ] as [(Int64, String)])
    func arabic(count: Int64, expected: String) throws {
        let tag = try #require(LanguageTag("ar"))
        #expect(OwnTexts.interface("Changes", languages: [tag], arguments: [.integer(count)]) == expected)
    }

    @Test("specifiers format numbers in the locale, by position, width and precision (L10N-01)")
    func specifiers() {
        #expect(text("%@ %d", "a", 1_234) == "a 1,234")
        #expect(text("%2$@ %1$@", "a", "b") == "b a")
        #expect(text("%d", 1_234, locale: "de_DE") == "1.234" && text("%d", 7, locale: "ar_EG") == "٧")
        #expect(text("%.2f|%5d|%-5d|%05d|%+d", 1.005, 42, 42, 42, 42) == "1.00|   42|42   |00042|+42")
        #expect(text("%x %X %o %c", 255, 255, 8, 65) == "ff FF 10 A")
        #expect(text("%*d|%.*f", 4, 7, 1, 2.25) == "   7|2.2")
        #expect(text("%e", 1_000.42) == "1.000420E3" && text("%.3g", 1.23456) == "1.23")
        #expect(text("100 %% of %@", "x") == "100 % of x" && text("100 % of it") == "100 % of it")
        #expect(text("%lu", .unsigned(.max)) == "18,446,744,073,709,551,615")
        #expect(text("%@", .number(Decimal(string: "0.1234567890123456789") ?? 0)) == "0.1234567890123456789")
        #expect(text("%.3s|%.1@", "abcdef", "xyz") == "abc|x")
    }

    @Test("a specifier that does not match its argument, or has none, shows something and never traps (L10N-01)")
    func mismatches() {
        #expect(text("%@", 5) == "5" && text("%d", "five") == "five" && text("%s", 5) == "5")
        #expect(text("%d", 1.5) == "1.5" && text("%f", "x") == "x" && text("%c", -1) == "\u{FFFD}")
        #expect(text("%1$@ %2$@ %@", "a") == "a %2$@ a")
        #expect(text("%n %q %k %", "a") == "%n %q %k %")
        #expect(text("%#@files@", 1) == "%#@files@" && text("%arg", 1) == "%arg" && text("%#@open", 1) == "%#@open")
        #expect(text("%99999999999999999999$@", "a") == "%99999999999999999999$@")
        #expect(text("%999999999d", 1).count == 1_000 && text("%.999999999f", 1.5).count < 200)
        #expect(text("%d %f", .double(.nan), .double(.infinity)) == "NaN ∞")
        #expect(text("%d %f", .double(1e300), .double(-1e-300)).isEmpty == false)
        #expect(text("%f", .number(.nan)) == "NaN" && text("%0$@", "a") == "%0$@" && text("%*d", "w", 5) == "5")
        #expect(TextArgument(UInt64.max) == .unsigned(.max) && TextArgument(Int8(-1)) == .integer(-1))
    }

    @Test("the digits that a number is written with decide its plural form (L10N-01)")
    func decimals() {
        var tables = StringTables()
        let forms = TextVariants.plural([.one: .text("%.1f star"), .other: .text("%.1f stars")])
        tables.add(
            ["stars": TextEntry(.text("%#@n@"), variables: ["n": .init(format: ".1f", variants: forms)])],
            language: "en")
        #expect(tables.text("stars", languages: english, arguments: [.number(1)]) == "1.0 stars")
        tables.add(["plain": .plural([.one: "%@ star", .other: "%@ stars"])], language: "en")
        #expect(tables.text("plain", languages: english, arguments: [.number(1)]) == "1 star")
        #expect(tables.text("plain", languages: english, arguments: [1.5]) == "1.5 stars")
        #expect(tables.text("plain", languages: english, arguments: [.integer(.min)]).hasSuffix(" stars"))
    }
}
