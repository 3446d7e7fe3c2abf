import CoreData
import CoreDataBrowserServer
import StoreContract
import TestBrowsers
import Testing

@Suite(
    "Dates that are typed on the page in a time zone", .serialized,
    .enabled(if: WebDriver.isInstalled, "chromedriver is not installed"), .timeLimit(.minutes(3)))
struct ZoneTests {
    @Test("a date of the years 0 to 99 is read and shown in any time zone as one of later years is (BRW-18)")
    func firstCentury() async throws {
        let builder = ModelBuilder()
        builder.entity("Thing", ["title": .stringAttributeType])
        let pages = try await HeroPages(fill: { $0.insert("Thing", ["title": "One"]) }, model: builder.model)
        try await pages.go(to: "")
        let script = """
            const { zonedISO } = await import('../../assets/base/zones.js');
            const { dateText } = await import('../../assets/base/format.js');
            return arguments[0].flatMap(([zone, text]) => {
                const moment = zonedISO(text, zone);
                return [moment, dateText(moment, zone)];
            });
            """
        // Before time zones there were those of the sun, with seconds of their own.
        let cases = [
            ("Europe/Berlin", "0050-05-01 12:00:00", "0050-05-01T11:06:32Z"),
            ("America/New_York", "0000-06-01 12:00:00", "0000-06-01T16:56:02Z"),
            ("America/New_York", "0099-12-31 23:30:00", "0100-01-01T04:26:02Z"),
            ("Europe/Berlin", "0001-01-01 00:00:00", "0000-12-31T23:06:32Z"),
            ("UTC", "0050-05-01 12:00:00", "0050-05-01T12:00:00Z"),
            ("Europe/Berlin", "2015-05-01 12:00:00", "2015-05-01T10:00:00Z"),
        ]
        let given = cases.map { WebValue.array([.string($0.0), .string($0.1)]) }
        let found = try await pages.page.evaluate(script, [.array(given)]).elements.map(\.text)
        #expect(found == cases.flatMap { [$0.2, $0.1] })
    }
}
