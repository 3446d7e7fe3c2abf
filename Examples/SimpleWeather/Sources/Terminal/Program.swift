import CoreData
import LoopbackService

/// Reads a feed into a store, and lists the forecasts that are there.
@main
struct Program {
    static func main() async {
        do {
            let words = Array(CommandLine.arguments.dropFirst())
            guard (1...2).contains(words.count) else { throw Usage() }
            let store = URL(fileURLWithPath: words[0])
            switch words.count {
            case 2 where words[1] == "demo":
                let server = try HTTPServer(answer: WeatherService.answer)
                defer { server.stop() }
                try await show(store, server.url("/forecastrss"))
            case 2:
                guard let url = URL(string: words[1]) else { throw Usage() }
                try await show(store, url)
            default: try await show(store, nil)
            }
        } catch {
            FileHandle.standardError.write(Data("simpleweather: \(error)\n".utf8))
            exit(1)
        }
    }

    @MainActor private static func show(_ store: URL, _ feed: URL?) async throws {
        let report = try WeatherReport(at: store)
        if let feed { try await report.refresh(from: feed) }
        for line in try report.lines() { print(line) }
    }

    private struct Usage: Error, CustomStringConvertible {
        let description = "usage: simpleweather STORE [demo | URL]"
    }
}
