import CoreData
import CoreDataExchange
import LoopbackService
import TestBasics
import Testing

@testable import SimpleWeatherSample

/// The example SimpleWeather: forecasts of a feed become objects by a mapping.
@MainActor @Suite(.timeLimit(.minutes(5))) struct SimpleWeatherTests {
    private let folder: TemporaryFolder
    private let report: WeatherReport

    init() throws {
        folder = try TemporaryFolder()
        report = try WeatherReport(at: folder.url.appendingPathComponent("SimpleWeather.sqlite"))
    }

    /// A file with the feed, perhaps changed.
    private func file(_ change: (String) -> String = { $0 }) throws -> URL {
        let url = folder.url.appendingPathComponent("\(UUID().uuidString).xml")
        try Data(change(WeatherService.feed).utf8).write(to: url)
        return url
    }

    private static func day(_ day: Int) -> Date? {
        DateComponents(calendar: Calendar(identifier: .gregorian), timeZone: .gmt, year: 2012, month: 2, day: day).date
    }

    @Test("four elements yweather:forecast are four forecasts with dates and numbers (SAMPLE-19)")
    func forecasts() async throws {
        let server = try HTTPServer(answer: WeatherService.answer)
        defer { server.stop() }
        try await report.refresh(from: server.url("/forecastrss?w=2487956"))
        let forecasts = try report.forecasts()
        #expect(forecasts.map(\.date) == [22, 23, 24, 25].map(Self.day))
        #expect(forecasts.map(\.low) == [31, 32, 27, 21] && forecasts.map(\.high) == [39, 40, 35, 33])
        #expect(
            try report.lines() == [
                "Wed 22 Feb 2012 31/39 Partly Cloudy", "Thu 23 Feb 2012 32/40 Showers",
                "Fri 24 Feb 2012 27/35 Snow Showers", "Sat 25 Feb 2012 21/33 Mostly Cloudy",
            ])
        let entity = try #require(forecasts.first?.entity)
        #expect(entity.attributesByName["date"]?.attributeType == .dateAttributeType)
        #expect(entity.attributesByName["low"]?.attributeType == .integer16AttributeType)
        #expect(entity.attributesByName["high"]?.attributeType == .integer16AttributeType)
    }

    @Test("a later feed changes the forecasts of its days, adds others and stores none twice (SAMPLE-19)")
    func refresh() async throws {
        try await report.refresh(from: file())
        let first = try #require(try report.forecasts().first)
        try await report.refresh(
            from: file {
                $0.replacingOccurrences(of: "low=\"31\"", with: "low=\"-2\"")
                    .replacingOccurrences(of: "25 Feb", with: "26 Feb")
            })
        let forecasts = try report.forecasts()
        #expect(forecasts.map(\.date) == [22, 23, 24, 25, 26].map(Self.day))
        #expect(forecasts.first === first && first.low == -2)
    }

    @Test("the prefix of the elements may be another, and a value that is not a number or date refuses all (SAMPLE-19)")
    func otherFeeds() async throws {
        try await report.refresh(from: file { $0.replacingOccurrences(of: "yweather", with: "w") })
        #expect(try report.forecasts().count == 4)
        for (old, new) in [("low=\"27\"", "low=\"cold\""), ("24 Feb 2012", "30 Feb 2012"), ("</rss>", "")] {
            let changed = try file {
                $0.replacingOccurrences(of: old, with: new).replacingOccurrences(of: "high=\"39\"", with: "high=\"99\"")
            }
            await #expect(throws: ImportError.self, "\(new)") { try await report.refresh(from: changed) }
        }
        #expect(try report.forecasts().map(\.high) == [39, 40, 35, 33])
    }
}
