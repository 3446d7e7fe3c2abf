import CoreDataLocalization
import Foundation
import TestBasics
import Testing

@Suite struct IntlTests {
    /// Node.js, whose Intl has the data of ICU; the test runs where it is installed.
    private static let node = ["/usr/bin/node", "/usr/local/bin/node"].first(
        where: FileManager.default.isExecutableFile)

    @Test("styles are exported as options of Intl with calendar, zone and units (L10N-05, L10N-06, L10N-08)")
    func options() throws {
        let table = FormatStyleTable(
            locale: Locale(identifier: "th_TH"), timeZone: try #require(TimeZone(identifier: "Asia/Bangkok")))
        let json = try #require(try JSONSerialization.jsonObject(with: table.intlJSON()) as? [String: Any])
        let dates = try #require(json["dates"] as? [String: [String: String]])
        #expect(
            dates["medium-short"] == [
                "dateStyle": "medium", "timeStyle": "short", "calendar": "buddhist", "timeZone": "Asia/Bangkok",
            ])
        #expect(dates.count == 24 && dates["none-none"] == nil)
        let days = try #require(json["days"] as? [String: [String: String]])
        #expect(days["short"] == ["dateStyle": "short", "calendar": "buddhist", "timeZone": "UTC"])
        let american = FormatStyleTable(locale: Locale(identifier: "en_US")).intl
        #expect(american.units["kilometer"]?.options.texts["unit"] == "mile" && american.units["celsius"]?.offset == 32)
        #expect(american.locale.hasPrefix("en-US"))
        #expect(FormatStyleTable(locale: Locale(identifier: "")).intl.locale.isEmpty == false)
    }

    @Test(
        "a page that formats by the options writes what Foundation writes (L10N-05, L10N-06, L10N-08)",
        .enabled(if: IntlTests.node != nil), arguments: ["en_US", "de_DE", "fr_FR", "ar", "ar_EG", "en_IN"])
    func sameTexts(locale: String) throws {
        let table = FormatStyleTable(
            locale: Locale(identifier: locale), timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
        let numbers: [Decimal] = [0, 1, -1, 1_000.5, 1_234_567.125, 0.25, 99.5, -0.004]
        let day = try #require(CalendarDay(iso: "2024-02-29"))
        let time = Date(timeIntervalSince1970: 1_709_208_245)
        var expected: [String] = []
        for style in [NumberStyle.none, .decimal, .percent, .scientific] {
            expected += numbers.map { table.text($0, style) }
        }
        expected += [table.text(day, .short), table.text(day, .medium), table.text(day, .long), table.text(day, .full)]
        expected += [table.text(time, date: .none, time: .short), table.text(time, date: .none, time: .medium)]
        expected += [table.text(10, .kilometer), table.text(20, .celsius), table.text(10, .hectare)]
        let script = """
            const t = JSON.parse(process.argv[1]), n = [0, 1, -1, 1000.5, 1234567.125, 0.25, 99.5, -0.004], out = [];
            const number = (o, x) => new Intl.NumberFormat(t.locale, o).format(x);
            const date = (o, x) => new Intl.DateTimeFormat(t.locale, o).format(x);
            for (const s of ['none', 'decimal', 'percent', 'scientific']) for (const x of n) out.push(number(t.numbers[s], x));
            for (const s of ['short', 'medium', 'long', 'full']) out.push(date(t.days[s], Date.UTC(2024, 1, 29, 12)));
            for (const s of ['none-short', 'none-medium']) out.push(date(t.dates[s], new Date(1709208245000)));
            const unit = (u, x) => number(t.units[u].options, x * t.units[u].factor + t.units[u].offset);
            out.push(unit('kilometer', 10), unit('celsius', 20), unit('hectare', 10));
            console.log(JSON.stringify(out));
            """
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: try #require(Self.node))
        process.arguments = ["-e", script, String(decoding: try table.intlJSON(), as: UTF8.self)]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let found = try JSONDecoder().decode([String].self, from: data)
        #expect(found.map(plain) == expected.map(plain))
    }

    /// Blanks, marks of direction, the comma of Arabic dates and the case of "pm" differ between versions of ICU's data.
    private func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { ![0x200E, 0x200F, 0x61C, 0x60C].contains($0.value) }.map {
                    $0.properties.isWhitespace ? " " : $0
                })
        ).lowercased()
    }
}
